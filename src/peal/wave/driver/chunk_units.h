#pragma once

#include <peal/base/radiator_options.h>
#include <peal/base/work_units.h>
#include <peal/wave/driver/chunk_cache.h>
#include <peal/wave/driver/chunk_run.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::wave {

/// The chunks of a plan as units of work, stored in the cache of chunks.
class ChunkUnits : public base::WorkUnits {
 public:
  /// `options` must name a cache.
  ChunkUnits(const base::World& world, std::span<const base::Receiver> receivers,
             std::shared_ptr<const WavePlan> plan, const base::RadiatorOptions& options);

  const std::vector<base::WorkUnit>& list() const override { return list_; }
  std::filesystem::path file(std::size_t unit) const override;
  bool is_done(std::size_t unit) const override;
  void compute(std::size_t unit, const Advance& advance) const override;
  /// Holds the sum and a few chunks in memory, however many there are.
  std::vector<base::Signal> sum(base::SampleRange range, const Advance& advance) const override;

 private:
  const base::World& world_;
  std::size_t receivers_;
  std::shared_ptr<const WavePlan> plan_;
  base::RadiatorOptions options_;
  ChunkCache cache_;
  std::vector<base::WorkUnit> list_;
};

}  // namespace peal::wave
