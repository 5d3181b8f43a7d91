#include <peal/shaders/surface_motion.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::shaders {

using base::Vec3;

namespace {

constexpr double passband = 1.0 / 3.0, stopband = 0.5;  // [1/sample]
constexpr double kaiser_beta = 8.3;      // side lobes of -80 dB for the step from one to the other
constexpr double lowest_audible = 20.0;  // [Hz]
constexpr double shortest_fade = 0.005;  // [s]
constexpr std::size_t blocks_kept = 8;   // four threads, each at the border of two
constexpr std::int64_t instants_at_once = 64;

/// (pi f / sin(pi f))^2: what second differences lack.
double equaliser(double f) {
  if (f == 0.0) return 1.0;
  const double x = std::numbers::pi * f, ratio = x / std::sin(x);
  return ratio * ratio;
}

/// The window is a convolution of spectra, which bends the equaliser by half its curvature times
/// the variance of the window's spectrum: taken off beforehand, so that 1e-4 of it is left.
double corrected_equaliser(double f) {
  const double deviation = std::sqrt(kaiser_beta * std::cyl_bessel_i(1.0, kaiser_beta) /
                                     std::cyl_bessel_i(0.0, kaiser_beta)) /
                           (2.0 * std::numbers::pi * SecondDerivative::half);
  return 2.0 * equaliser(f) - 0.5 * (equaliser(f + deviation) + equaliser(f - deviation));
}

/// The Fourier transform of the equaliser up to the middle of the transition band.
double unwindowed(double u) {
  constexpr int intervals = 256;
  constexpr double cutoff = 0.5 * (passband + stopband), step = cutoff / intervals;
  static const std::vector<double> weights = [] {
    std::vector<double> simpson;
    for (int i = 0; i <= intervals; ++i) {
      const double weight = i == 0 || i == intervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
      simpson.push_back(weight * corrected_equaliser(i * step));
    }
    return simpson;
  }();
  double sum = 0.0;
  for (int i = 0; i <= intervals; ++i) {
    sum += weights[static_cast<std::size_t>(i)] * std::cos(2.0 * std::numbers::pi * i * step * u);
  }
  return 2.0 * sum * step / 3.0;
}

}  // namespace

std::optional<FrameClock> frame_clock(std::span<const double> times) {
  if (times.size() < 2) return std::nullopt;
  const double step = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  if (!(step > 0.0)) return std::nullopt;
  const FrameClock clock{times.front(), 1.0 / step, static_cast<std::int64_t>(times.size())};
  for (std::size_t i = 0; i < times.size(); ++i) {
    // glTF holds times as 32-bit floats: 2 us apart after half a minute.
    const double late = times[i] - clock.time(static_cast<std::int64_t>(i));
    if (std::abs(late) > 0.2 * step) return std::nullopt;
  }
  return clock;
}

SecondDerivative::SecondDerivative() {
  table_.resize(half * phases + 1);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const double u = static_cast<double>(i) / phases, edge = u / half;
    const double window =
        std::cyl_bessel_i(0.0, kaiser_beta * std::sqrt(std::max(0.0, 1.0 - edge * edge))) /
        std::cyl_bessel_i(0.0, kaiser_beta);
    table_[i] = static_cast<float>(window * unwindowed(u));
  }
}

std::array<float, SecondDerivative::taps> SecondDerivative::weights(double fraction) const {
  std::array<float, taps> weights;
  for (int k = 0; k < taps; ++k) {
    const double at = std::abs(k - (half - 1) - fraction) * phases;
    const auto whole = std::min(static_cast<std::size_t>(at), table_.size() - 2);
    const auto part = static_cast<float>(at - static_cast<double>(whole));
    weights[static_cast<std::size_t>(k)] = (1.0f - part) * table_[whole] + part * table_[whole + 1];
  }
  return weights;
}

SurfaceMotion::SurfaceMotion(std::shared_ptr<const base::Deformation> deformation,
                             const FrameClock& frames, const geometry::TriMesh& mesh,
                             double speed_of_sound, base::Rate rate)
    : deformation_(std::move(deformation)),
      frames_(frames),
      vertices_(mesh.vertices.size()),
      triangles_(mesh.triangles),
      rate_(rate),
      longest_step_(speed_of_sound / frames.rate) {}

base::SurfaceBasis SurfaceMotion::basis(std::span<const base::SurfacePoint> points) const {
  return base::vertex_basis(points, triangles_, vertices_);
}

std::vector<base::SampleRange> SurfaceMotion::active(base::Rate rate,
                                                     base::SampleRange range) const {
  const auto sample = [&](std::int64_t frame) { return rate.samples(frames_.time(frame)); };
  const auto first = static_cast<std::int64_t>(std::floor(sample(-SecondDerivative::half)));
  const auto end =
      static_cast<std::int64_t>(std::ceil(sample(frames_.count + SecondDerivative::half)));
  const base::SampleRange part{std::max(range.begin, first), std::min(range.end, end)};
  if (part.empty()) return {};
  return {part};
}

/// Fade factor from 0 at both ends to 1, as half a cosine.
double SurfaceMotion::fade(std::int64_t frame) const {
  const double length = std::clamp(shortest_fade * frames_.rate, 1.0 * SecondDerivative::half,
                                   0.5 * static_cast<double>(frames_.count - 1));
  const auto from_end = static_cast<double>(std::min(frame, frames_.count - 1 - frame));
  return from_end >= length ? 1.0 : 0.5 - 0.5 * std::cos(std::numbers::pi * from_end / length);
}

/// Second differences per frame squared, in seconds.
SurfaceMotion::Block SurfaceMotion::make_block(std::int64_t index) const {
  const auto rows = columns();
  auto result = std::make_shared<Eigen::MatrixXf>(Eigen::MatrixXf::Zero(rows, block_frames));
  const std::int64_t begin = std::max<std::int64_t>(1, index * block_frames);
  const std::int64_t end = std::min(frames_.count - 1, (index + 1) * block_frames);
  std::array<std::vector<Vec3>, 3> shapes;  // the frames n - 1, n, n + 1
  for (auto& shape : shapes) shape.resize(vertices_);
  const auto take = [&](std::int64_t frame, std::vector<Vec3>& shape) {
    deformation_->vertices(frames_.time(frame), shape);
  };
  const auto is_cut = [&](const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    for (std::size_t v = 0; v < vertices_; ++v) {
      if ((to[v] - from[v]).squaredNorm() > longest_step_ * longest_step_) return true;
    }
    return false;
  };
  auto& [before, now, after] = shapes;
  if (begin < end) {
    take(begin - 1, before);
    take(begin, now);
  }
  bool was_cut = begin < end && is_cut(before, now);
  for (std::int64_t n = begin; n < end; ++n) {
    take(n + 1, after);
    const bool cut = is_cut(now, after);
    const double scale = frames_.rate * frames_.rate * fade(n);
    float* out = result->col(n - index * block_frames).data();
    for (std::size_t v = 0; v < vertices_ && !cut && !was_cut; ++v) {
      for (int k = 0; k < 3; ++k) {
        *out++ =
            static_cast<float>(scale * ((after[v][k] - now[v][k]) - (now[v][k] - before[v][k])));
      }
    }
    was_cut = cut;
    std::swap(before, now);
    std::swap(now, after);
  }
  return result;
}

SurfaceMotion::Block SurfaceMotion::block(std::int64_t index) const {
  const std::lock_guard lock(mutex_);
  const auto known =
      std::ranges::find_if(recent_, [&](const auto& entry) { return entry.first == index; });
  if (known != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, known);
  } else {
    recent_.emplace_front(index, make_block(index));
    if (recent_.size() > blocks_kept) recent_.pop_back();
  }
  return recent_.front().second;
}

SurfaceMotion::Frames SurfaceMotion::frames_for(base::Rate rate, base::SampleRange range) const {
  const auto frame_of = [&](std::int64_t instant) {
    return static_cast<std::int64_t>(std::floor(frames_.frame_at(rate.seconds(instant))));
  };
  return {std::max<std::int64_t>(frame_of(range.begin) - (SecondDerivative::half - 1), 1),
          std::min(frame_of(range.end - 1) + SecondDerivative::half, frames_.count - 2)};
}

void SurfaceMotion::add_instants(base::Rate rate, std::int64_t begin,
                                 Eigen::Ref<Eigen::MatrixXf> out) const {
  const std::int64_t steps = out.cols();
  const auto [low, high] = frames_for(rate, {begin, begin + steps});
  if (low > high) return;
  Eigen::MatrixXf weights = Eigen::MatrixXf::Zero(high - low + 1, steps);
  for (std::int64_t i = 0; i < steps; ++i) {
    const double at = frames_.frame_at(rate.seconds(begin + i)), whole = std::floor(at);
    const auto row = derivative_.weights(at - whole);
    const std::int64_t from = static_cast<std::int64_t>(whole) - (SecondDerivative::half - 1);
    for (std::int64_t k = 0; k < SecondDerivative::taps; ++k) {
      if (from + k >= low && from + k <= high)
        weights(from + k - low, i) = row[static_cast<std::size_t>(k)];
    }
  }
  for (std::int64_t b = low / block_frames; b <= high / block_frames; ++b) {
    const std::int64_t from = std::max(low, b * block_frames);
    const std::int64_t count = std::min(high + 1, (b + 1) * block_frames) - from;
    out.noalias() += block(b)->middleCols(from - b * block_frames, count) *
                     weights.middleRows(from - low, count);
  }
}

void SurfaceMotion::coefficients(base::Rate rate, base::SampleRange range,
                                 base::Coefficients& out) const {
  out.resize(columns(), range.size());
  // A few instants at a time, since each needs few of the frames; always the same ones together, so
  // that an instant has the same value in every range.
  const auto begin_of = [](std::int64_t instant) {
    const std::int64_t rest = instant % instants_at_once;
    return instant - (rest < 0 ? rest + instants_at_once : rest);
  };
  Eigen::MatrixXf some(out.rows(), instants_at_once);
  for (std::int64_t at = begin_of(range.begin); at < range.end; at += instants_at_once) {
    some.setZero();
    add_instants(rate, at, some);
    const std::int64_t from = std::max(at, range.begin);
    const std::int64_t count = std::min(at + instants_at_once, range.end) - from;
    out.middleCols(from - range.begin, count) = some.middleCols(from - at, count);
  }
}

void SurfaceMotion::hash(base::Rate rate, base::SampleRange range,
                         util::Fingerprint& fingerprint) const {
  fingerprint.add(frames_.start);
  fingerprint.add(frames_.rate);
  fingerprint.add(frames_.count);
  // At a multiple of the rate, the samples of the range end before its last one does at this rate.
  const auto [low, high] = frames_for(rate, {range.begin, range.end + 1});
  for (std::int64_t b = low / block_frames; low <= high && b <= high / block_frames; ++b) {
    const std::int64_t from = std::max(low, b * block_frames);
    const std::int64_t end = std::min(high + 1, (b + 1) * block_frames);
    const Block differences = block(b);
    for (std::int64_t n = from; n < end; ++n) {
      const float* const frame = differences->col(n - b * block_frames).data();
      fingerprint.add(std::span<const float>(frame, static_cast<std::size_t>(columns())));
    }
  }
}

std::shared_ptr<const base::SurfaceSource> make_surface_motion(const scene::Object& object,
                                                               const base::Body& body,
                                                               const base::World& world,
                                                               std::vector<std::string>& notices) {
  if (!body.deformation || !object.deformation_sounds) return nullptr;
  const auto* const sequence = object.mesh_sequence();
  const auto* const morphed = object.morphed();
  if (sequence == nullptr && morphed == nullptr) return nullptr;
  const std::string what = sequence != nullptr ? "mesh sequence" : "animation of its shape";
  const std::vector<double> times =
      sequence != nullptr ? sequence->times : scene::key_times(*morphed->targets);
  const std::optional<FrameClock> frames = frame_clock(times);
  const auto silent = [&](const std::string& reason) {
    notices.push_back(
        fmt::format("\"{}\": its deformation makes no sound: {}", object.name, reason));
    return nullptr;
  };
  if (!frames) return silent(fmt::format("the {} has no constant frame rate", what));
  if (frames->band() <= lowest_audible) {
    return silent(fmt::format("the {} has {:.4g} frames/s, which gives {:.3g} Hz at most", what,
                              frames->rate, frames->band()));
  }
  if (frames->count < SurfaceMotion::least_frames) {
    return silent(fmt::format("the {} has {} frames, and {} are needed", what, frames->count,
                              SurfaceMotion::least_frames));
  }
  notices.push_back(
      fmt::format("\"{}\": the {} has {:.6g} frames/s: its motion sounds up to {:.0f} Hz",
                  object.name, what, frames->rate, frames->band()));
  return std::make_shared<SurfaceMotion>(body.deformation, *frames, body.mesh,
                                         world.medium.speed_of_sound, world.rate);
}

}  // namespace peal::shaders
