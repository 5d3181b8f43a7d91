#include <peal/elastic/surface_recorder.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::elastic {

namespace {

/// Hann's window, one shape long to both sides: the weights of all shapes add up to 1.
std::vector<double> shape_window() {
  constexpr auto length = SurfaceRecord::shape_samples;
  std::vector<double> taps;
  for (std::int64_t i = 0; i < length; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(length);
    taps.push_back((0.5 + 0.5 * std::cos(std::numbers::pi * x)) / static_cast<double>(length));
  }
  taps.push_back(0.0);
  return taps;
}

/// The most steps from one position to the next: a whole part of a sample of audio, of which there
/// are 8 or more and an even number.
int steps_between_positions(int steps_per_sample) {
  int most = 1;
  for (int stride = 2; 8 * stride <= steps_per_sample; ++stride) {
    if (steps_per_sample % (2 * stride) == 0) most = stride;
  }
  return most;
}

}  // namespace

SurfaceRecorder::SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                                 const Nodes& velocity, base::Rate audio, int steps_per_sample)
    : frame_(frame),
      nodes_(solid.surface_node),
      steps_per_sample_(steps_per_sample),
      stride_(steps_between_positions(steps_per_sample)),
      rate_(static_cast<double>(audio.hz) * (steps_per_sample / stride_)),
      last_(nodes_.size()),
      last_way_(nodes_.size()),
      sample_(3 * nodes_.size()),
      accelerations_(sample_.size(), steps_per_sample / stride_),
      displacements_(sample_.size(), SurfaceRecord::shape_samples, shape_window()) {
  record_.rate = audio;
  record_.mesh = solid.surface;
  start_ = position;
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    last_.set(v, position.at(nodes_[v]));
    last_way_.set(v, velocity.at(nodes_[v]) / rate_);
  }
  // Before the start it went straight: one shape, which is left out in the end.
  Nodes before = position;
  for (std::int64_t i = -SurfaceRecord::shape_samples; i < 0; ++i) {
    for (const std::uint32_t node : nodes_) {
      before.set(node, position.at(node) + velocity.at(node) * audio.seconds(i));
    }
    take_displacement(before);
  }
  take_displacement(position);
}

/// Those of the position before this one.
void SurfaceRecorder::take_accelerations(const Nodes& position) {
  const std::size_t count = nodes_.size();
  const auto difference = [&](const std::vector<double>& now, std::vector<double>& last,
                              std::vector<double>& last_way, float* out) {
    for (std::size_t v = 0; v < count; ++v) {
      const double way = now[nodes_[v]] - last[v];
      out[v] = static_cast<float>((way - last_way[v]) * rate_ * rate_);
      last[v] = now[nodes_[v]];
      last_way[v] = way;
    }
  };
  difference(position.x, last_.x, last_way_.x, sample_.data());
  difference(position.y, last_.y, last_way_.y, sample_.data() + count);
  difference(position.z, last_.z, last_way_.z, sample_.data() + 2 * count);
  accelerations_.push(sample_, [&](std::span<const float> instant) {
    append(
        instant, [](const geometry::Vec3& value, std::size_t) { return value; },
        record_.accelerations);
  });
}

void SurfaceRecorder::take_displacement(const Nodes& position) {
  const std::size_t count = nodes_.size();
  for (std::size_t v = 0; v < count; ++v) {
    const geometry::Vec3 way = position.at(nodes_[v]) - start_.at(nodes_[v]);
    for (std::size_t k = 0; k < 3; ++k) {
      sample_[k * count + v] = static_cast<float>(way[static_cast<Eigen::Index>(k)]);
    }
  }
  const std::span<const float> shape = displacements_.push(sample_);
  if (shape.empty()) return;
  append(
      shape,
      [&](const geometry::Vec3& way, std::size_t v) -> geometry::Vec3 {
        return way + frame_.to_local(start_.at(nodes_[v])) - record_.mesh.vertices[v];
      },
      record_.displacements);
}

/// Turns vectors of the world, coordinate by coordinate, into the frame of the record.
template <class Change>
void SurfaceRecorder::append(std::span<const float> planes, const Change& change,
                             std::vector<float>& list) const {
  const geometry::Mat3 turn = frame_.orientation.conjugate().toRotationMatrix();
  const std::size_t count = nodes_.size();
  for (std::size_t v = 0; v < count; ++v) {
    const geometry::Vec3 world(planes[v], planes[count + v], planes[2 * count + v]);
    const geometry::Vec3 local = change(turn * world, v);
    for (const double value : local) list.push_back(static_cast<float>(value));
  }
}

SurfaceRecord SurfaceRecorder::finish(std::int64_t instants) {
  const std::size_t channels = record_.channels();
  auto& shapes = record_.displacements;
  // The shape before the start.
  shapes.erase(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(channels));
  record_.accelerations.resize(static_cast<std::size_t>(instants) * channels, 0.0f);
  return std::move(record_);
}

}  // namespace peal::elastic
