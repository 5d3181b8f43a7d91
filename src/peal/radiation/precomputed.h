#pragma once

#include <peal/base/radiator.h>
#include <peal/base/table_maker.h>
#include <peal/radiation/direct.h>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace peal::radiation {

/// Renders bodies by precomputed radiation (Chadwick et al. 2012, with another representation:
/// docs/theory/precomputed.md): acceleration noise and modes of vibration by tables of outgoing
/// waves, each body as if it were alone in the air, and mirrored by flat bodies at rest. All other
/// sounds are as in `direct`.
class PrecomputedRadiator : public base::Radiator {
 public:
  /// `take_notice` gets what turns out while tables are made.
  PrecomputedRadiator(double max_frequency, std::shared_ptr<const base::TableMaker> tables,
                      std::function<void(std::string)> take_notice);

  base::RadiationPlan plan(const base::World& world,
                           std::span<const base::Receiver> receivers) const override;
  std::vector<base::Signal> radiate(const base::World& world,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range,
                                    util::Progress& progress) const override;
  double expected_seconds(const base::World& world,
                          std::span<const base::Receiver> receivers) const override;
  /// The tables. Playing them is faster than real time, and left to the sum.
  std::unique_ptr<base::WorkUnits> units(const base::World& world,
                                         std::span<const base::Receiver> receivers) const override;

 private:
  double max_frequency_;  ///< [Hz]
  std::shared_ptr<const base::TableMaker> tables_;
  std::function<void(std::string)> take_notice_;
};

}  // namespace peal::radiation
