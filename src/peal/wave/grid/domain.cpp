#include <peal/wave/grid/domain.h>

namespace peal::wave {

geometry::Box listening_bounds(const Domain& domain) {
  const auto index = [&](const Cell& cell) -> Vec3 {
    return domain.grid.origin + domain.grid.cell_size * Vec3(cell[0], cell[1], cell[2]);
  };
  return {index(domain.low), index(domain.high)};
}

Domain with_largest_box(Domain domain) {
  domain.low = domain.rim_low;
  domain.high = domain.rim_high;
  domain.chosen_until = std::numeric_limits<double>::infinity();
  return domain;
}

double expansion_start(const Domain& domain) {
  const Vec3 middle = listening_bounds(domain).center();
  const Vec3 farthest = (domain.content.max() - middle).cwiseMax(middle - domain.content.min());
  return farthest.norm() + 1.5 * domain.grid.cell_size;
}

}  // namespace peal::wave
