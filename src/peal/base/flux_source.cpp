#include <peal/base/flux_source.h>

#include <utility>

namespace peal::base {

namespace {

/// Samples that are evaluated together.
constexpr std::int64_t flux_block = 32;

}  // namespace

FluxEvaluator::FluxEvaluator(std::vector<std::shared_ptr<const FluxSource>> sources) {
  for (auto& source : sources) {
    parts_.push_back({.source = std::move(source), .instants = {}, .coefficients = {}});
  }
}

void FluxEvaluator::set_surfaces(SampledSurface first, SampledSurface second) {
  surfaces_ = {std::move(first), std::move(second)};
  for (Part& part : parts_) {
    for (Instant& instant : part.instants) instant.at.reset();
  }
  block_.reset();
}

/// The basis at a sample. The two that were used last are kept: a block begins where the one before
/// ends.
const FluxEvaluator::Instant& FluxEvaluator::instant(Part& part, std::int64_t at) {
  if (part.instants[0].at == at) return part.instants[0];
  if (part.instants[1].at != at) {
    const double t = rate_.seconds(at);
    part.instants[1] = {
        at, {part.source->basis_at(surfaces_[0], t), part.source->basis_at(surfaces_[1], t)}};
  }
  std::swap(part.instants[0], part.instants[1]);
  return part.instants[0];
}

/// Adds a source for the samples of the block. Its basis is interpolated linearly from time to
/// time.
void FluxEvaluator::add(Part& part) {
  std::int64_t step = flux_block;
  while (step > 1 && rate_.seconds(step) > part.source->basis_interval()) step /= 2;
  const auto first = static_cast<Eigen::Index>(surfaces_[0].size());
  const Eigen::Index rest = product_.rows() - first;
  for (std::int64_t begin = 0; begin < flux_block; begin += step) {
    const Coefficients now = part.coefficients.middleCols(begin, step);
    if ((now.array() == 0.0f).all()) continue;
    for (const bool is_end : {false, true}) {
      Coefficients weighted = now;
      for (std::int64_t n = 0; n < step; ++n) {
        const float along = static_cast<float>(n) / static_cast<float>(step);
        weighted.col(n) *= is_end ? along : 1.0f - along;
      }
      const Instant& at = instant(part, *block_ + (is_end ? begin + step : begin));
      at.basis[0].add_product(weighted, product_.block(0, begin, first, step));
      if (rest > 0) at.basis[1].add_product(weighted, product_.block(first, begin, rest, step));
    }
  }
}

std::span<const float> FluxEvaluator::accelerations(SampleTime time) {
  if (time.rate != rate_) {
    rate_ = time.rate;
    block_.reset();
    coefficients_.reset();
    for (Part& part : parts_) {
      for (Instant& instant : part.instants) instant.at.reset();
    }
  }
  const std::int64_t rest = ((time.index % flux_block) + flux_block) % flux_block;
  const std::int64_t begin = time.index - rest;
  if (coefficients_ != begin) {
    coefficients_ = begin;
    for (Part& part : parts_)
      part.source->coefficients(rate_, {begin, begin + flux_block}, part.coefficients);
  }
  const std::size_t points = surfaces_[0].size() + surfaces_[1].size();
  if (block_ != begin) {
    block_ = begin;
    product_.setZero(static_cast<Eigen::Index>(points), flux_block);
    for (Part& part : parts_) add(part);
  }
  return {product_.col(rest).data(), points};
}

}  // namespace peal::base
