#pragma once

#include <peal/base/world.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace peal::radiation {

/// A motion given by a formula.
class Path : public base::Motion {
 public:
  explicit Path(std::function<base::Vec3(double)> sample_point, std::vector<double> jumps = {},
                std::vector<double> kinks = {})
      : place_(std::move(sample_point)), jumps_(std::move(jumps)), kinks_(std::move(kinks)) {}
  base::Pose pose(double t) const override { return {.position = place_(t)}; }
  bool is_still() const override { return false; }
  std::span<const double> jumps() const override { return jumps_; }
  std::span<const double> kinks() const override { return kinks_; }

 private:
  std::function<base::Vec3(double)> place_;
  std::vector<double> jumps_;
  std::vector<double> kinks_;
};

inline std::shared_ptr<const base::Motion> moving(std::function<base::Vec3(double)> sample_point,
                                                  std::vector<double> jumps = {},
                                                  std::vector<double> kinks = {}) {
  return std::make_shared<Path>(std::move(sample_point), std::move(jumps), std::move(kinks));
}
inline std::shared_ptr<const base::Motion> still(const base::Vec3& sample_point) {
  return std::make_shared<base::Resting>(sample_point);
}

}  // namespace peal::radiation
