#include <peal/base/flux_source.h>

#include <algorithm>
#include <utility>

namespace peal::base {

namespace {

constexpr std::int64_t longest_flux_block = 256;

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
  product_from_.reset();
}

void FluxEvaluator::set_rate(Rate rate) {
  rate_ = rate;
  double interval = rate.seconds(longest_flux_block);
  for (const Part& part : parts_) interval = std::min(interval, part.source->basis_interval());
  length_ = longest_flux_block;
  while (length_ > 1 && rate.seconds(length_) > interval) length_ /= 2;
  coefficients_.reset();
  set_surfaces(std::move(surfaces_[0]), std::move(surfaces_[1]));
}

/// Fields at a sample. Those of the two samples that were used last are kept: a block begins where
/// the one before ends.
Eigen::MatrixXf FluxEvaluator::fields_at(Part& part, std::int64_t at,
                                         std::span<const Eigen::Index> numbers) {
  if (part.instants[0].at != at) std::swap(part.instants[0], part.instants[1]);
  Instant& instant = part.instants[0];
  const auto first = static_cast<Eigen::Index>(surfaces_[0].size());
  const auto second = static_cast<Eigen::Index>(surfaces_[1].size());
  if (instant.at != at) {
    instant.at = at;
    instant.is_known.assign(static_cast<std::size_t>(part.source->fields()), 0);
    instant.fields.resize(first + second, part.source->fields());
  }
  std::vector<Eigen::Index> missing;
  for (const Eigen::Index number : numbers) {
    if (std::exchange(instant.is_known[static_cast<std::size_t>(number)], 1) == 0)
      missing.push_back(number);
  }
  if (!missing.empty()) {
    Eigen::MatrixXf found(first + second, static_cast<Eigen::Index>(missing.size()));
    const double t = rate_.seconds(at);
    part.source->basis_at(surfaces_[0], t, missing, found.topRows(first));
    if (second > 0) part.source->basis_at(surfaces_[1], t, missing, found.bottomRows(second));
    for (std::size_t i = 0; i < missing.size(); ++i)
      instant.fields.col(missing[i]) = found.col(static_cast<Eigen::Index>(i));
  }
  Eigen::MatrixXf result(first + second, static_cast<Eigen::Index>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    result.col(static_cast<Eigen::Index>(i)) = instant.fields.col(numbers[i]);
  return result;
}

/// Adds a source from a sample to the end of its block, where its fields go in straight lines.
void FluxEvaluator::add(Part& part, std::int64_t from) {
  const std::int64_t begin = *coefficients_, count = begin + length_ - from;
  const Eigen::Index all = part.source->fields();
  std::vector<Eigen::Index> numbers;
  for (Eigen::Index k = 0; k < all; ++k) {
    const bool is_silent = (part.coefficients.row(k).array() == 0.0f).all() &&
                           (part.coefficients.row(all + k).array() == 0.0f).all();
    if (!is_silent) numbers.push_back(k);
  }
  if (numbers.empty()) return;
  const auto rows = static_cast<Eigen::Index>(numbers.size());
  Coefficients start(rows, count), end(rows, count);
  const auto per_second = static_cast<float>(1.0 / rate_.seconds(length_));
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Eigen::Index k = numbers[static_cast<std::size_t>(i)];
    for (std::int64_t n = 0; n < count; ++n) {
      const std::int64_t at = from - begin + n;
      const float along = static_cast<float>(at) / static_cast<float>(length_);
      const float change = part.coefficients(k, at);
      const float turn = per_second * part.coefficients(all + k, at);
      start(i, n) = (1.0f - along) * change - turn;
      end(i, n) = along * change + turn;
    }
  }
  auto out = product_.rightCols(count);
  out.noalias() += fields_at(part, begin, numbers) * start;
  out.noalias() += fields_at(part, begin + length_, numbers) * end;
}

std::span<const float> FluxEvaluator::accelerations(SampleTime time) {
  if (time.rate != rate_) set_rate(time.rate);
  const std::int64_t rest = ((time.index % length_) + length_) % length_;
  const std::int64_t begin = time.index - rest;
  if (coefficients_ != begin) {
    coefficients_ = begin;
    product_from_.reset();
    for (Part& part : parts_)
      part.source->coefficients(rate_, {begin, begin + length_}, part.coefficients);
  }
  const std::size_t points = surfaces_[0].size() + surfaces_[1].size();
  if (!product_from_ || time.index < *product_from_) {
    product_from_ = time.index;
    product_.setZero(static_cast<Eigen::Index>(points), length_);
    for (Part& part : parts_) add(part, time.index);
  }
  return {product_.col(rest).data(), points};
}

}  // namespace peal::base
