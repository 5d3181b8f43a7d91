#include <peal/elastic/surface_record.h>
#include <peal/util/fractional_delay.h>
#include <peal/util/lanes.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::elastic {

namespace {

using util::FractionalDelay;

constexpr std::int64_t heard_every = 8;  ///< instants: what lies between is as loud as these
constexpr float silence = 1e-6f;         ///< of the strongest acceleration: -120 dB

/// The largest amount.
float largest_of(std::span<const float> values) {
  using Lanes = util::Widest<float>;
  constexpr std::size_t lanes = util::widest_lanes<float>;
  Lanes most{};
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    const auto some = util::load<Lanes>(&values[i]), amount = some < 0.0f ? -some : some;
    most = amount > most ? amount : most;
  }
  float largest = 0.0f;
  for (std::size_t k = 0; k < lanes; ++k) largest = std::max(largest, most[k]);
  for (; i < values.size(); ++i) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

/// Four channels at four instants, which are `stride` apart, channel by channel to places `apart`.
void turn_four(const float* from, std::size_t stride, float* to, std::size_t apart) {
  using Four = util::LanesOf<float, 16>::type;
  Four at[4];
  for (std::size_t i = 0; i < 4; ++i) at[i] = util::load<Four>(from + i * stride);
  const Four low = __builtin_shufflevector(at[0], at[1], 0, 4, 1, 5);
  const Four high = __builtin_shufflevector(at[0], at[1], 2, 6, 3, 7);
  const Four later_low = __builtin_shufflevector(at[2], at[3], 0, 4, 1, 5);
  const Four later_high = __builtin_shufflevector(at[2], at[3], 2, 6, 3, 7);
  util::store(to, __builtin_shufflevector(low, later_low, 0, 1, 4, 5));
  util::store(to + apart, __builtin_shufflevector(low, later_low, 2, 3, 6, 7));
  util::store(to + 2 * apart, __builtin_shufflevector(high, later_high, 0, 1, 4, 5));
  util::store(to + 3 * apart, __builtin_shufflevector(high, later_high, 2, 3, 6, 7));
}

std::int64_t floor_of(std::int64_t index, std::int64_t factor) {
  return index >= 0 ? index / factor : -((factor - 1 - index) / factor);
}

}  // namespace

std::int64_t SurfaceRecord::instants() const {
  return mesh.vertices.empty() ? 0 : static_cast<std::int64_t>(accelerations.size() / channels());
}

std::int64_t SurfaceRecord::shapes() const {
  return mesh.vertices.empty() ? 0 : static_cast<std::int64_t>(displacements.size() / channels());
}

std::int64_t SurfaceRecord::shape_samples(base::Rate rate) {
  constexpr std::int64_t least = 8;
  constexpr double longest = 1.5e-3;  // [s]
  std::int64_t samples = least;
  while (rate.seconds(2 * samples) <= longest) samples *= 2;
  return samples;
}

bool SurfaceRecord::moves_by(double distance) const {
  const auto most = static_cast<float>(distance * distance);
  for (std::size_t from = channels(); from < displacements.size(); from += channels()) {
    for (std::size_t i = 0; i < channels(); i += 3) {
      float square = 0.0f;
      for (std::size_t k = i; k < i + 3; ++k) {
        const float way = displacements[from + k] - displacements[k];
        square += way * way;
      }
      if (square > most) return true;
    }
  }
  return false;
}

void PathRecord::add(const base::Pose& pose) {
  poses.insert(poses.end(), pose.position.begin(), pose.position.end());
  const auto& turn = pose.orientation.coeffs();
  poses.insert(poses.end(), turn.begin(), turn.end());
}

base::Pose PathRecord::pose(std::size_t index) const {
  const double* p = &poses[7 * index];
  return {.position = {p[0], p[1], p[2]}, .orientation = geometry::Quat(p[6], p[3], p[4], p[5])};
}

RecordedDeformation::RecordedDeformation(std::shared_ptr<const SurfaceRecord> record)
    : record_(std::move(record)) {}

void RecordedDeformation::vertices(double t, std::span<base::Vec3> out) const {
  const std::size_t channels = record_->channels();
  const double last = static_cast<double>(record_->shapes() - 1);
  const double at = std::clamp(t / record_->shape_time(), 0.0, last);
  const double whole = std::min(std::floor(at), std::max(0.0, last - 1.0)), part = at - whole;
  const float* from = record_->displacements.data() + static_cast<std::size_t>(whole) * channels;
  const float* to = record_->shapes() > 1 ? from + channels : from;
  // Coordinates follow each other: one loop over all of them.
  const double* const rest = record_->mesh.vertices.data()->data();
  double* const moved = out.data()->data();
  for (std::size_t i = 0; i < 3 * out.size(); ++i) {
    const auto a = static_cast<double>(from[i]), b = static_cast<double>(to[i]);
    moved[i] = rest[i] + a + part * (b - a);
  }
}

RecordedSource::RecordedSource(std::shared_ptr<const SurfaceRecord> record)
    : record_(std::move(record)) {
  const std::size_t channels = record_->channels();
  std::vector<float> strongest;
  for (std::int64_t i = 0; i < record_->instants(); i += heard_every)
    strongest.push_back(
        largest_of({&record_->accelerations[static_cast<std::size_t>(i) * channels], channels}));
  const float most = largest_of(strongest);
  for (std::size_t i = 0; i < strongest.size(); ++i) {
    if (!(strongest[i] > silence * most)) continue;
    const std::int64_t at = static_cast<std::int64_t>(i) * heard_every;
    const std::int64_t around = heard_every + FractionalDelay::half;
    const std::int64_t from = at - around, to = at + around;
    if (active_.empty() || from > active_.back().end) {
      active_.push_back({from, to});
    } else {
      active_.back().end = to;
    }
  }
}

Eigen::Index RecordedSource::columns() const {
  return static_cast<Eigen::Index>(record_->channels());
}

base::SurfaceBasis RecordedSource::basis(std::span<const base::SurfacePoint> points) const {
  return base::vertex_basis(points, record_->mesh.triangles, record_->mesh.vertices.size());
}

void RecordedSource::coefficients(base::Rate rate, base::SampleRange range,
                                  base::Coefficients& out) const {
  if (rate == record_->rate) {
    read(range, out);
  } else {
    interpolate(rate, range, out);
  }
}

/// Interpolates all vertices between samples of the record: one product of matrices.
void RecordedSource::interpolate(base::Rate rate, base::SampleRange range,
                                 base::Coefficients& out) const {
  const std::int64_t own = record_->rate.hz;
  const FractionalDelay delay;
  const std::int64_t first = floor_of(range.begin * own, rate.hz) - (FractionalDelay::half - 1);
  const std::int64_t last = floor_of((range.end - 1) * own, rate.hz) + FractionalDelay::half;
  const std::int64_t low = std::clamp<std::int64_t>(first, 0, record_->instants());
  const std::int64_t high = std::clamp<std::int64_t>(last + 1, low, record_->instants());
  Eigen::MatrixXf weights = Eigen::MatrixXf::Zero(high - low, range.size());
  for (std::int64_t n = range.begin; n < range.end; ++n) {
    const std::int64_t whole = floor_of(n * own, rate.hz);
    const double rest = static_cast<double>(n * own - whole * rate.hz);
    const auto row = delay.weights(rest / static_cast<double>(rate.hz));
    for (std::int64_t k = 0; k < FractionalDelay::taps; ++k) {
      const std::int64_t sample = whole - (FractionalDelay::half - 1) + k;
      if (sample >= low && sample < high) weights(sample - low, n - range.begin) = row[k];
    }
  }
  const auto channels = static_cast<Eigen::Index>(record_->channels());
  const Eigen::Map<const Eigen::MatrixXf> recorded(record_->accelerations.data() + low * channels,
                                                   channels, high - low);
  out.noalias() = recorded * weights;
}

void RecordedSource::hash(base::Rate rate, base::SampleRange range,
                          util::Fingerprint& fingerprint) const {
  const double from = record_->rate.samples(rate.seconds(range.begin));
  const double to = record_->rate.samples(rate.seconds(range.end));
  const std::int64_t low = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor(from)) - FractionalDelay::taps, 0, record_->instants());
  const std::int64_t high = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::ceil(to)) + FractionalDelay::taps, low, record_->instants());
  const std::size_t channels = record_->channels();
  fingerprint.add(record_->rate.hz), fingerprint.add(channels), fingerprint.add(low);
  fingerprint.add(std::span(record_->accelerations)
                      .subspan(static_cast<std::size_t>(low) * channels,
                               static_cast<std::size_t>(high - low) * channels));
}

void RecordedSource::read(base::SampleRange range, base::Coefficients& coefficients) const {
  const std::int64_t first = range.begin;
  const auto count = static_cast<std::size_t>(range.size()), stride = count;
  coefficients.resize(columns(), range.size());
  float* const out = coefficients.data();
  constexpr std::size_t at_once = 16;  // instants: a line of the cache of each channel
  const std::size_t channels = record_->channels();
  const std::int64_t instants = record_->instants();
  for (std::size_t from = 0; from < count; from += at_once) {
    const std::size_t some = std::min(at_once, count - from);
    const std::int64_t begin = first + static_cast<std::int64_t>(from);
    if (some == at_once && begin >= 0 && begin + std::int64_t{at_once} <= instants) {
      const float* const now =
          record_->accelerations.data() + static_cast<std::size_t>(begin) * channels;
      std::size_t c = 0;
      for (; c + 4 <= channels; c += 4) {
        for (std::size_t i = 0; i < at_once; i += 4)
          turn_four(now + i * channels + c, channels, out + c * stride + from + i, stride);
      }
      for (; c < channels; ++c) {
        for (std::size_t i = 0; i < at_once; ++i)
          out[c * stride + from + i] = now[i * channels + c];
      }
      continue;
    }
    for (std::size_t i = 0; i < some; ++i) {
      const std::int64_t instant = begin + static_cast<std::int64_t>(i);
      const bool is_recorded = instant >= 0 && instant < instants;
      for (std::size_t c = 0; c < channels; ++c) {
        out[c * stride + from + i] =
            is_recorded ? record_->accelerations[static_cast<std::size_t>(instant) * channels + c]
                        : 0.0f;
      }
    }
  }
}

std::vector<base::SampleRange> RecordedSource::active(base::Rate rate,
                                                      base::SampleRange range) const {
  const std::int64_t own = record_->rate.hz;
  std::vector<base::SampleRange> result;
  for (const base::SampleRange& one : active_) {
    const base::SampleRange part{std::max(range.begin, floor_of(one.begin * rate.hz, own)),
                                 std::min(range.end, floor_of(one.end * rate.hz + own - 1, own))};
    if (!part.empty()) result.push_back(part);
  }
  return result;
}

}  // namespace peal::elastic
