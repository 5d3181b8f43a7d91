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

constexpr int most_positions = 8;  ///< a sample of audio

/// Along one axis: of all nodes of the solid, and of those that are recorded.
struct AxisRecord {
  const double *position, *velocity;
  double *last, *last_way;
  float* acceleration;
};

void second_differences(const AxisRecord& axis, const std::vector<NodeRun>& runs, double lag,
                        double square_rate) {
  double* const __restrict last = axis.last, * const __restrict last_way = axis.last_way;
  float* const __restrict acceleration = axis.acceleration;
  for (const NodeRun& run : runs) {
    const double* const __restrict position = axis.position + run.shift;
    const double* const __restrict velocity = axis.velocity + run.shift;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const double now = position[i] - lag * velocity[i], way = now - last[i];
      acceleration[i] = static_cast<float>((way - last_way[i]) * square_rate);
      last[i] = now;
      last_way[i] = way;
    }
  }
}

std::vector<std::uint32_t> sorted_nodes(std::vector<std::uint32_t> nodes) {
  std::ranges::sort(nodes);
  const auto repeated = std::ranges::unique(nodes);
  nodes.erase(repeated.begin(), repeated.end());
  return nodes;
}

std::vector<NodeRun> runs_of(const std::vector<std::uint32_t>& nodes) {
  std::vector<NodeRun> runs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || nodes[i] != nodes[i - 1] + 1) runs.push_back({i, i, nodes[i] - i});
    ++runs.back().end;
  }
  return runs;
}

}  // namespace

SurfaceRecorder::SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                                 const Nodes& velocity, base::Rate audio, int steps_per_sample)
    : frame_(frame),
      nodes_(sorted_nodes(solid.surface_node)),
      runs_(runs_of(nodes_)),
      steps_per_sample_(steps_per_sample),
      positions_per_sample_(std::min(most_positions, steps_per_sample)),
      rate_(static_cast<double>(audio.hz) * positions_per_sample_),
      start_(nodes_.size()),
      last_(nodes_.size()),
      last_way_(nodes_.size()),
      sample_(3 * nodes_.size()),
      accelerations_(sample_.size(), positions_per_sample_),
      displacements_(sample_.size(), SurfaceRecord::shape_samples, shape_window()) {
  record_.rate = audio;
  record_.mesh = solid.surface;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    start_.set(i, position.at(nodes_[i]));
    last_.set(i, position.at(nodes_[i]));
    last_way_.set(i, velocity.at(nodes_[i]) / rate_);
  }
  for (std::size_t v = 0; v < solid.surface_node.size(); ++v) {
    const auto place = std::ranges::lower_bound(nodes_, solid.surface_node[v]);
    place_.push_back(static_cast<std::uint32_t>(place - nodes_.begin()));
    const geometry::Vec3 moved =
        frame_.to_local(start_.at(place_.back())) - record_.mesh.vertices[v];
    for (const double value : moved) moved_.push_back(static_cast<float>(value));
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
void SurfaceRecorder::take_accelerations(const Nodes& position, const Nodes& velocity) {
  const std::size_t count = nodes_.size();
  // Half a step late, if at all.
  const double lag = static_cast<double>(passed_) / (positions_per_sample_ * steps_per_sample_ *
                                                     static_cast<double>(record_.rate.hz));
  const auto along = [&](std::size_t axis, const std::vector<double>& x,
                         const std::vector<double>& v, std::vector<double>& last,
                         std::vector<double>& last_way) {
    second_differences(
        {x.data(), v.data(), last.data(), last_way.data(), sample_.data() + axis * count}, runs_,
        lag, rate_ * rate_);
  };
  along(0, position.x, velocity.x, last_.x, last_way_.x);
  along(1, position.y, velocity.y, last_.y, last_way_.y);
  along(2, position.z, velocity.z, last_.z, last_way_.z);
  const std::span<const float> instant = accelerations_.push(sample_);
  if (!instant.empty()) append(instant, record_.accelerations);
}

void SurfaceRecorder::take_displacement(const Nodes& position) {
  const std::size_t count = nodes_.size();
  const auto along = [&](const std::vector<double>& now, const std::vector<double>& start,
                         float* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(now[nodes_[i]] - start[i]);
  };
  along(position.x, start_.x, sample_.data());
  along(position.y, start_.y, sample_.data() + count);
  along(position.z, start_.z, sample_.data() + 2 * count);
  const std::span<const float> shape = displacements_.push(sample_);
  if (shape.empty()) return;
  const std::span<float> added = append(shape, record_.displacements);
  for (std::size_t i = 0; i < added.size(); ++i) added[i] += moved_[i];
}

/// Turns vectors of the world, coordinate by coordinate, into the frame of the record.
std::span<float> SurfaceRecorder::append(std::span<const float> planes,
                                         std::vector<float>& list) const {
  const Eigen::Matrix3f turn = frame_.orientation.conjugate().toRotationMatrix().cast<float>();
  const std::size_t count = nodes_.size(), begin = list.size();
  list.resize(begin + 3 * place_.size());
  const std::span<float> added(list.data() + begin, 3 * place_.size());
  for (std::size_t v = 0; v < place_.size(); ++v) {
    const float* const x = &planes[place_[v]];
    const Eigen::Vector3f local = turn * Eigen::Vector3f(x[0], x[count], x[2 * count]);
    std::copy_n(local.data(), 3, &added[3 * v]);
  }
  return added;
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
