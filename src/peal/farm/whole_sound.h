#pragma once

#include <peal/base/radiator.h>
#include <peal/util/store.h>

#include <span>
#include <string>
#include <vector>

namespace peal::farm {

/// The work of a radiator that is not divided, `direct` or `rays`: one unit, whose result is the
/// pressure at all receivers. Both are recursive filters of, or fast compared to, a whole scene.
class WholeSound : public base::WorkUnits {
 public:
  /// `key` is a hash of all that the sound depends on.
  WholeSound(const base::Radiator& radiator, const base::RadiationPlan& plan,
             const base::World& world, std::span<const base::Receiver> receivers, std::string key);

  const std::vector<base::WorkUnit>& list() const override { return list_; }
  std::filesystem::path file(std::size_t unit) const override;
  bool is_done(std::size_t unit) const override;
  void compute(std::size_t unit, const Advance& advance) const override;
  std::vector<base::Signal> sum(base::SampleRange range, const Advance& advance) const override;

 private:
  const base::Radiator& radiator_;
  const base::World& world_;
  std::span<const base::Receiver> receivers_;
  std::string key_;
  util::Store store_;
  std::vector<base::WorkUnit> list_;
};

}  // namespace peal::farm
