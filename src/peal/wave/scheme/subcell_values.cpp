#include <peal/wave/scheme/subcell_values.h>

namespace peal::wave {

template <class Real>
void SubcellValues<Real>::reset(std::size_t count) {
  now_.assign(count, Real(0));
  before_.assign(count, Real(0));
}

template <class Real>
void SubcellValues<Real>::transfer(std::span<const NodeTransfer> transfers, std::size_t count,
                                   std::span<Real> p, std::span<Real> p_old) {
  struct Sum {
    CellIndex to;
    double weight = 0, now = 0, before = 0;
  };
  const NodePressures<Real> old_now{p, now_}, old_before{p_old, before_};
  std::vector<Sum> sums;
  for (const NodeTransfer& t : transfers) {
    if (sums.empty() || sums.back().to != t.to) sums.push_back({.to = t.to});
    if (t.weight == 0) continue;
    sums.back().weight += t.weight;
    sums.back().now += t.weight * static_cast<double>(old_now.at(t.from));
    sums.back().before += t.weight * static_cast<double>(old_before.at(t.from));
  }
  reset(count);
  for (const Sum& sum : sums) {
    set(sum.to, static_cast<Real>(sum.weight > 0 ? sum.now / sum.weight : 0),
        static_cast<Real>(sum.weight > 0 ? sum.before / sum.weight : 0), p, p_old);
  }
}

template <class Real>
void SubcellValues<Real>::set(CellIndex index, Real now, Real before, std::span<Real> p,
                              std::span<Real> p_old) {
  const bool extra = index & extra_index;
  (extra ? now_[index & ~extra_index] : p[index]) = now;
  (extra ? before_[index & ~extra_index] : p_old[index]) = before;
}

template class SubcellValues<float>;
template class SubcellValues<double>;

}  // namespace peal::wave
