#include <peal/wave/scheme/volume_borrowing.h>

#include <algorithm>
#include <array>
#include <vector>

namespace peal::wave {
namespace {

template <class Real>
void borrow_for(std::size_t i, double owed, const Grid& grid, const BoundaryPlan& plan,
                const CutNode<Real>& node, std::span<const double> floor,
                std::span<double> volume) {
  std::array<std::size_t, cell_faces> lender{};
  std::array<double, cell_faces> weight{};
  double total = 0;
  for (int f = 0; f < cell_faces; ++f) {
    if (node.area[f] == 0) continue;
    const auto j = plan.number_of(grid, beyond(plan.coefficients[i].cell, f));
    if (!j) continue;
    lender[f] = *j;
    weight[f] = static_cast<double>(node.area[f]) * (volume[*j] - floor[*j]);
    total += weight[f];
  }
  for (int f = 0; f < cell_faces; ++f) {
    if (weight[f] <= 0) continue;
    const double spare = volume[lender[f]] - floor[lender[f]];
    volume[lender[f]] -= std::min(spare, owed * weight[f] / total);
  }
}

}  // namespace

template <class Real>
void borrow_volume(const Grid& grid, const BoundaryPlan& plan, std::span<const CutNode<Real>> nodes,
                   std::span<const double> floor, std::span<double> volume) {
  std::vector<double> owed(plan.listed);
  for (std::size_t i = 0; i < plan.listed; ++i) owed[i] = volume[i] - plan.coefficients[i].volume;
  for (std::size_t i = 0; i < plan.listed; ++i)
    if (owed[i] > 0) borrow_for(i, owed[i], grid, plan, nodes[i], floor, volume);
}

template void borrow_volume(const Grid&, const BoundaryPlan&, std::span<const CutNode<float>>,
                            std::span<const double>, std::span<double>);
template void borrow_volume(const Grid&, const BoundaryPlan&, std::span<const CutNode<double>>,
                            std::span<const double>, std::span<double>);

}  // namespace peal::wave
