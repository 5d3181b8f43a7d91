#pragma once

#include <peal/wave/boundary/boundary_plan.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace peal::wave {

/// Pressures of the second and further subcells of split cells, which are not in the field, now and
/// a step before.
template <class Real>
class SubcellValues {
 public:
  std::span<Real> now() { return now_; }
  std::span<const Real> now() const { return now_; }
  std::span<Real> before() { return before_; }
  std::span<const Real> before() const { return before_; }

  /// Makes room for `count` values, all silent.
  void reset(std::size_t count);
  /// Redistributes values when nodes are joined or split: each gets the mean, by volume, of the
  /// values that are transferred to it. `count` subcells remain.
  void transfer(std::span<const NodeTransfer> transfers, std::size_t count, std::span<Real> p,
                std::span<Real> p_old);
  /// Sets a value for both times, in the fields or here.
  void set(CellIndex index, Real now, Real before, std::span<Real> p, std::span<Real> p_old);
  /// Sets the value of the next step.
  void advance(CellIndex index, Real next) {
    before_[index & ~extra_index] = std::exchange(now_[index & ~extra_index], next);
  }

 private:
  std::vector<Real> now_, before_;
};

extern template class SubcellValues<float>;
extern template class SubcellValues<double>;

}  // namespace peal::wave
