#include <peal/base/prescribed_source.h>
#include <peal/base/surface_source.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/accelerations_of.h"

namespace peal::base {
namespace {

/// Accelerates by x times the index of the sample.
std::shared_ptr<const SurfaceSource> ramp() {
  return std::make_shared<PrescribedSource>(
      [](const SurfacePoint& point) { return point.position.x(); },
      [](double t) { return std::round(48000.0 * t); });
}

TEST(SurfaceSource, SeveralOnOneBodyAdd) {
  const std::vector<std::shared_ptr<const SurfaceSource>> sources = {ramp(), ramp(), ramp()};
  SourceEvaluator evaluator(sources);
  const std::array<SurfacePoint, 2> points = {SurfacePoint{.position = {1, 0, 0}},
                                              SurfacePoint{.position = {-2, 0, 0}}};
  evaluator.set_points(points);
  for (const std::int64_t n : {-33, -1, 0, 31, 32, 255, 256, 40, 100000}) {
    const auto a = evaluator.accelerations({n, {48000}});
    EXPECT_EQ(a[0], 3.0f * static_cast<float>(n)) << n;
    EXPECT_EQ(a[1], -6.0f * static_cast<float>(n)) << n;
  }
}

TEST(SurfaceSource, PointsMayChangeWithinABlock) {
  const std::vector<std::shared_ptr<const SurfaceSource>> sources = {ramp()};
  SourceEvaluator evaluator(sources);
  for (std::int64_t n = 0; n < 100; ++n) {
    const SurfacePoint point{.position = {static_cast<double>(n % 7), 0, 0}};
    evaluator.set_points({&point, 1});
    EXPECT_EQ(evaluator.accelerations({n, {48000}})[0], static_cast<float>(n * (n % 7)));
  }
}

/// Counts the samples that it is asked for, and how often for its basis.
class Counting : public PrescribedSource {
 public:
  Counting() : PrescribedSource([](double) { return 1.0; }) {}
  SurfaceBasis basis(std::span<const SurfacePoint> points) const override {
    ++bases;
    return PrescribedSource::basis(points);
  }
  void coefficients(Rate rate, SampleRange range, Coefficients& out) const override {
    samples += range.size();
    PrescribedSource::coefficients(rate, range, out);
  }

  mutable std::int64_t samples = 0, bases = 0;
};

TEST(SurfaceSource, EachSampleIsComputedOnceWhileTheSurfaceMoves) {
  const auto source = std::make_shared<Counting>();
  SourceEvaluator evaluator(std::vector<std::shared_ptr<const SurfaceSource>>{source});
  const SurfacePoint point;
  constexpr std::int64_t samples = 1 << 15, between_keys = 24;
  for (std::int64_t n = 0; n < samples; ++n) {
    if (n % between_keys == 0) evaluator.set_points({&point, 1});
    evaluator.accelerations({n, {48000}});
  }
  EXPECT_EQ(source->bases, samples / between_keys + 1);
  EXPECT_GE(source->samples, samples);
  EXPECT_LE(source->samples, samples + 4096) << "at most one block more";
}

TEST(SurfaceSource, AVertexBasisIsTheWeightTimesTheNormal) {
  const std::array<std::array<std::uint32_t, 3>, 2> triangles = {{{0, 1, 2}, {2, 1, 3}}};
  const std::array<SurfacePoint, 1> points = {
      SurfacePoint{.triangle = 1, .barycentric = {0.2, 0.3, 0.5}, .normal = {0, 0.6, -0.8}}};
  const SurfaceBasis basis = vertex_basis(points, triangles, 4);
  EXPECT_EQ(basis.columns(), 12);
  EXPECT_NEAR(basis.at(0, 3 * 2 + 1), 0.2 * 0.6, 1e-7);
  EXPECT_NEAR(basis.at(0, 3 * 1 + 2), 0.3 * -0.8, 1e-7);
  EXPECT_NEAR(basis.at(0, 3 * 3 + 1), 0.5 * 0.6, 1e-7);
  EXPECT_EQ(basis.at(0, 0), 0.0);
}

}  // namespace
}  // namespace peal::base
