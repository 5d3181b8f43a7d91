#pragma once

#include <peal/wave/boundary/boundary_plan.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace peal::wave {

/// Pressures of second and further subcells of split cells, which have no place in the field, now
/// and a step before.
template <class Real>
class SubcellValues {
 public:
  std::span<Real> now() { return now_; }
  std::span<const Real> now() const { return now_; }
  std::span<Real> before() { return before_; }
  std::span<const Real> before() const { return before_; }

  /// So many, all silent.
  void reset(std::size_t count);
  /// Redistributes values when nodes are joined or parted: each gets the mean, by volume, of what
  /// is handed to it. `count` sides remain.
  void transfer(std::span<const NodeTransfer> transfers, std::size_t count, std::span<Real> p,
                std::span<Real> p_old);
  /// Sets a value, in the fields or here, for both times.
  void set(CellIndex index, Real now, Real before, std::span<Real> p, std::span<Real> p_old);
  /// The value of the next step.
  void advance(CellIndex index, Real next) {
    before_[index & ~extra_index] = std::exchange(now_[index & ~extra_index], next);
  }

 private:
  std::vector<Real> now_, before_;
};

extern template class SubcellValues<float>;
extern template class SubcellValues<double>;

}  // namespace peal::wave
