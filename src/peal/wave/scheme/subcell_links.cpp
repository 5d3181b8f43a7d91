#include <peal/wave/scheme/step_arithmetic.h>
#include <peal/wave/scheme/subcell_links.h>

#include <algorithm>

namespace peal::wave {

template <class Real>
void SubcellLinks<Real>::enter(const CutInterval& interval, std::span<const CellIndex> indices) {
  links_.clear();
  coefficients_.clear();
  for (std::size_t i = 0; i < interval.links_from.size(); ++i) {
    const Link &from = interval.links_from[i], &to = interval.links_to[i];
    links_.push_back(
        {from.a, from.b, indices[from.a], indices[from.b], Real(0), from.inner, Real(0)});
    if (from.area == to.area && from.pull == to.pull) {
      coefficients_.push_back({from.area_at_rest, 0, 0, 0});
    } else {
      coefficients_.push_back({from.area, to.area - from.area, from.pull, to.pull - from.pull});
    }
  }
  floor_.assign(links_.empty() ? 0 : indices.size(), 0);
  flux_.assign(floor_.size(), Real(0));
}

template <class Real>
void SubcellLinks<Real>::advance(double t) {
  std::ranges::fill(floor_, 0.0);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const LinkCoefficients& c = coefficients_[i];
    NodeLink<Real>& link = links_[i];
    link.pull = static_cast<Real>(c.pull + t * c.pull_change);
    link.area = static_cast<Real>(open_area_at(c.area, c.area_change, t));
    const double weight =
        stability_weight(static_cast<double>(link.area), scheme_.gamma, scheme_.viscous);
    floor_[link.a] += 0.5 * scheme_.lambda * scheme_.lambda * weight;
    floor_[link.b] += 0.5 * scheme_.lambda * scheme_.lambda * weight;
  }
}

template <class Real>
void SubcellLinks<Real>::find_fluxes(const NodePressures<Real>& now,
                                     const NodePressures<Real>& before) {
  const Real gamma = static_cast<Real>(scheme_.gamma), viscous = static_cast<Real>(scheme_.viscous);
  std::ranges::fill(flux_, Real(0));
  for (const NodeLink<Real>& link : links_) {
    const Real difference = now.at(link.place_b) - now.at(link.place_a);
    const Real last = before.at(link.place_b) - before.at(link.place_a);
    const Real flux = link_flux(link.area, difference, last, gamma, viscous);
    flux_[link.a] += flux;
    flux_[link.b] -= flux;
  }
}

template <class Real>
void SubcellLinks<Real>::pull_together(std::span<const double> volume,
                                       std::span<Real> values) const {
  for (const NodeLink<Real>& link : links_) {
    if (link.pull == 0 || volume[link.a] == 0 || volume[link.b] == 0) continue;
    const Real share = static_cast<Real>(volume[link.b] / (volume[link.a] + volume[link.b]));
    const Real difference = link.pull * (values[link.b] - values[link.a]);
    values[link.a] += share * difference;
    values[link.b] -= (1 - share) * difference;
  }
}

template class SubcellLinks<float>;
template class SubcellLinks<double>;

}  // namespace peal::wave
