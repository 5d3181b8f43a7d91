#include <peal/elastic/surface_recorder.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::elastic {

namespace {

constexpr int most_positions = 8;        ///< a sample of audio
constexpr int differences_a_sample = 4;  ///< of audio

/// What is left of a tone of a third of the audio rate in second differences of positions, or of
/// their sums with weights 1, 2, 1.
double gain_of_differences(int positions_a_sample) {
  const double x = std::numbers::pi / 3.0 / positions_a_sample;
  const double mean = std::pow(std::sin(x) / x, 2);
  return positions_a_sample == most_positions ? mean * std::pow(std::cos(x), 4) : mean;
}

/// Along one axis: of all nodes of the solid, and of those that are recorded.
struct AxisRecord {
  const double *position, *velocity;
  double *part, *last, *last_way;
  float* acceleration;
};

/// A position in the middle of a sum.
template <bool is_late>
void add_middle(const AxisRecord& axis, const std::vector<NodeRun>& runs, double lag) {
  double* const __restrict part = axis.part;
  for (const NodeRun& run : runs) {
    const double* const __restrict position = axis.position + run.shift;
    const double* const __restrict velocity = axis.velocity + run.shift;
    for (std::size_t i = run.begin; i < run.end; ++i)
      part[i] += 2.0 * (is_late ? position[i] - lag * velocity[i] : position[i]);
  }
}

/// A position at the end of a sum, which gives the acceleration in the middle of the one before.
template <bool is_late>
void second_differences(const AxisRecord& axis, const std::vector<NodeRun>& runs, double lag,
                        double scale) {
  double* const __restrict part = axis.part, * const __restrict last = axis.last, * const __restrict last_way = axis.last_way;
  float* const __restrict acceleration = axis.acceleration;
  for (const NodeRun& run : runs) {
    const double* const __restrict position = axis.position + run.shift;
    const double* const __restrict velocity = axis.velocity + run.shift;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const double now = is_late ? position[i] - lag * velocity[i] : position[i];
      const double sum = part[i] + now, way = sum - last[i];
      acceleration[i] = static_cast<float>((way - last_way[i]) * scale);
      part[i] = now;
      last[i] = sum;
      last_way[i] = way;
    }
  }
}

void velocity_differences(const AxisRecord& axis, const std::vector<NodeRun>& runs, double rate) {
  double* const __restrict last = axis.last;
  float* const __restrict acceleration = axis.acceleration;
  for (const NodeRun& run : runs) {
    const double* const __restrict velocity = axis.velocity + run.shift;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      acceleration[i] = static_cast<float>((velocity[i] - last[i]) * rate);
      last[i] = velocity[i];
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

/// Hann's window, one shape long to both sides: the weights of all shapes add up to 1.
std::vector<double> SurfaceRecorder::shape_window() {
  constexpr auto length = SurfaceRecord::shape_samples / looks_apart;
  std::vector<double> taps;
  for (std::int64_t i = 0; i < length; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(length);
    taps.push_back((0.5 + 0.5 * std::cos(std::numbers::pi * x)) / static_cast<double>(length));
  }
  taps.push_back(0.0);
  return taps;
}

SurfaceRecorder::SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                                 const Nodes& velocity, base::Rate audio, int steps_per_sample)
    : frame_(frame),
      is_turned_(frame.orientation.coeffs() != geometry::Quat::Identity().coeffs()),
      nodes_(sorted_nodes(solid.surface_node)),
      runs_(runs_of(nodes_)),
      steps_per_sample_(steps_per_sample),
      positions_per_sample_(steps_per_sample < most_positions ? steps_per_sample : most_positions),
      start_(nodes_.size()),
      part_(nodes_.size()),
      last_(nodes_.size()),
      last_way_(nodes_.size()),
      turned_(3 * nodes_.size()),
      local_(3 * solid.surface_node.size()),
      accelerations_(turned_.size(), std::min(differences_a_sample, positions_per_sample_),
                     gain_of_differences(positions_per_sample_)),
      displacements_(turned_.size(), SurfaceRecord::shape_samples / looks_apart, shape_window(),
                     1) {
  record_.rate = audio;
  record_.mesh = solid.surface;
  // Before the start it went straight.
  const double step = audio.step() / positions_per_sample_;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const geometry::Vec3 x = position.at(nodes_[i]), v = velocity.at(nodes_[i]), way = step * v;
    start_.set(i, x);
    if (positions_per_sample_ == most_positions) {
      part_.set(i, x - way + 2.0 * x);
      last_.set(i, 4.0 * (x - 2.0 * way));
      last_way_.set(i, 8.0 * way);
    } else {
      last_.set(i, v);
    }
  }
  for (std::size_t v = 0; v < solid.surface_node.size(); ++v) {
    const auto place = std::ranges::lower_bound(nodes_, solid.surface_node[v]);
    place_.push_back(static_cast<std::uint32_t>(place - nodes_.begin()));
    const geometry::Vec3 moved =
        frame_.to_local(start_.at(place_.back())) - record_.mesh.vertices[v];
    for (const double value : moved) moved_.push_back(static_cast<float>(value));
  }
  // One shape before the start, which is left out in the end.
  Nodes before = position;
  for (std::int64_t i = -SurfaceRecord::shape_samples; i < 0; i += looks_apart) {
    for (const std::uint32_t node : nodes_) {
      before.set(node, position.at(node) + velocity.at(node) * audio.seconds(i));
    }
    take_displacement(before);
  }
  take_displacement(position);
}

void SurfaceRecorder::expect(std::int64_t instants) {
  const auto count = static_cast<std::size_t>(instants + run_out);
  record_.accelerations.reserve(count * record_.channels());
}

void SurfaceRecorder::take_position(const Nodes& position, const Nodes& velocity) {
  if (positions_per_sample_ < most_positions) return take_velocity(velocity);
  const bool is_middle = ++positions_ % 2 == 0;
  const std::size_t count = nodes_.size();
  const auto hz = static_cast<double>(record_.rate.hz);
  // Half a step late, if at all.
  const double lag =
      static_cast<double>(passed_) / (positions_per_sample_ * steps_per_sample_ * hz);
  const double scale = 0.25 * std::pow(differences_a_sample * hz, 2);
  float* const next = accelerations_.next().data();
  const auto along = [&](std::size_t axis, auto coordinate) {
    const AxisRecord record{(position.*coordinate).data(),  (velocity.*coordinate).data(),
                            (part_.*coordinate).data(),     (last_.*coordinate).data(),
                            (last_way_.*coordinate).data(), next + axis * count};
    if (is_middle) {
      lag > 0.0 ? add_middle<true>(record, runs_, lag) : add_middle<false>(record, runs_, lag);
    } else {
      lag > 0.0 ? second_differences<true>(record, runs_, lag, scale)
                : second_differences<false>(record, runs_, lag, scale);
    }
  };
  along(0, &Nodes::x);
  along(1, &Nodes::y);
  along(2, &Nodes::z);
  // The first difference belongs to a time before the start.
  if (!is_middle && positions_ > 1) push_accelerations();
}

/// With as many steps as differences: velocities led to positions.
void SurfaceRecorder::take_velocity(const Nodes& velocity) {
  const double rate = static_cast<double>(record_.rate.hz) * positions_per_sample_;
  const std::size_t count = nodes_.size();
  float* const next = accelerations_.next().data();
  const auto along = [&](std::size_t axis, auto coordinate) {
    velocity_differences({.velocity = (velocity.*coordinate).data(),
                          .last = (last_.*coordinate).data(),
                          .acceleration = next + axis * count},
                         runs_, rate);
  };
  along(0, &Nodes::x);
  along(1, &Nodes::y);
  along(2, &Nodes::z);
  push_accelerations();
}

void SurfaceRecorder::push_accelerations() {
  if (!accelerations_.push()) return;
  for (std::size_t k = 0; k < util::DecimatorChain::at_once; ++k)
    append(accelerations_.result(k), record_.accelerations);
}

void SurfaceRecorder::take_displacement(const Nodes& position) {
  const std::size_t count = nodes_.size();
  float* const next = displacements_.next().data();
  const auto along = [&](std::size_t axis, auto coordinate) {
    const double *const now = (position.*coordinate).data(), *const start =
                                                                 (start_.*coordinate).data();
    float* const out = next + axis * count;
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(now[nodes_[i]] - start[i]);
  };
  along(0, &Nodes::x);
  along(1, &Nodes::y);
  along(2, &Nodes::z);
  if (!displacements_.push()) return;
  const std::span<float> added = append(displacements_.result(0), record_.displacements);
  for (std::size_t i = 0; i < added.size(); ++i) added[i] += moved_[i];
}

/// Turns vectors of the world, coordinate by coordinate, into the frame of the record.
std::span<float> SurfaceRecorder::append(std::span<const float> planes, std::vector<float>& list) {
  const std::size_t count = nodes_.size(), begin = list.size();
  if (is_turned_) {
    const Eigen::Matrix3f turn = frame_.orientation.conjugate().toRotationMatrix().cast<float>();
    const float *const x = planes.data(), *const y = x + count, *const z = y + count;
    for (int k = 0; k < 3; ++k) {
      float* const __restrict out = &turned_[static_cast<std::size_t>(k) * count];
      const float a = turn(k, 0), b = turn(k, 1), c = turn(k, 2);
      for (std::size_t i = 0; i < count; ++i) out[i] = a * x[i] + b * y[i] + c * z[i];
    }
    planes = turned_;
  }
  float* const __restrict added = local_.data();
  for (std::size_t v = 0; v < place_.size(); ++v) {
    const float* const from = &planes[place_[v]];
    added[3 * v] = from[0];
    added[3 * v + 1] = from[count];
    added[3 * v + 2] = from[2 * count];
  }
  list.insert(list.end(), local_.begin(), local_.end());
  return std::span(list).subspan(begin);
}

SurfaceRecord SurfaceRecorder::finish(std::int64_t instants) {
  const std::size_t channels = record_.channels();
  auto& shapes = record_.displacements;
  // The shape before the start.
  shapes.erase(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(channels));
  record_.accelerations.resize(static_cast<std::size_t>(instants) * channels, 0.0f);
  return std::move(record_);
}

void SurfaceRecorder::keep(util::Archive& archive) {
  archive.same(nodes_.size());
  archive.number(passed_, positions_, steps_);
  for (Nodes* nodes : {&part_, &last_, &last_way_}) nodes->keep(archive);
  accelerations_.keep(archive);
  displacements_.keep(archive);
  archive.growing_list(record_.accelerations);
  archive.growing_list(record_.displacements);
}

}  // namespace peal::elastic
