#include <peal/elastic/surface_recorder.h>
#include <peal/util/large_pages.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::elastic {

namespace {

constexpr std::size_t node_lanes = util::Decimator::lanes;
constexpr int summed_samples = 8;  ///< a sample, at positions that are summed
constexpr std::size_t recorded_lanes = util::widest_lanes<double>;

using SingleLanes = util::LanesOf<float, sizeof(float) * recorded_lanes>::type;

/// Pads the nodes to whole blocks with the last one.
std::vector<std::uint32_t> blocks_of_nodes(std::vector<std::uint32_t> nodes) {
  nodes.resize((nodes.size() + node_lanes - 1) / node_lanes * node_lanes, nodes.back());
  return nodes;
}

/// x, y and z of four nodes to x, y, z of each.
void weave_four(const float* x, const float* y, const float* z, float* to) {
  using Four = util::LanesOf<float, 16>::type;
  const auto a = util::load<Four>(x), b = util::load<Four>(y), c = util::load<Four>(z);
  const Four first = __builtin_shufflevector(a, b, 0, 4, 1, 5);   // x0 y0 x1 y1
  const Four middle = __builtin_shufflevector(b, c, 1, 5, 2, 6);  // y1 z1 y2 z2
  const Four last = __builtin_shufflevector(c, a, 2, 7, 3, 3);    // z2 x3 z3
  util::store(to, __builtin_shufflevector(first, c, 0, 1, 4, 2));
  util::store(to + 4, __builtin_shufflevector(middle, a, 0, 1, 6, 2));
  util::store(to + 8, __builtin_shufflevector(last, b, 0, 1, 7, 2));
}

/// The nodes that are recorded: of a shell, those on its outer side.
std::vector<std::uint32_t> recorded_nodes(const Solid& solid) {
  std::vector<std::uint32_t> nodes = solid.surface_node;
  if (!solid.middle.empty()) nodes.resize(solid.middle.vertices.size());
  return nodes;
}

/// Attenuation that a filter needs [dB] so that nothing above the band is stronger than -80 dB:
/// beyond `highest`, in units of the record's rate, motion falls by 12 dB an octave.
double needed_attenuation(double highest, double band) {
  constexpr double least = 50.0;  // flat to 0.03 dB
  const double fallen = 40.0 * std::log10(std::max(1.0, (1.0 - band) / highest));
  return std::max(least, util::LowPass::full_attenuation - fallen);
}

}  // namespace

/// Values at nodes, or their values `lag` [s] before if they change at `speed`.
struct SurfaceRecorder::Source {
  std::array<const double*, 3> values, speed;
  double lag;

  explicit Source(const Nodes& now) : Source(now, now, 0.0) {}
  Source(const Nodes& now, const Nodes& change, double late)
      : values{now.x.data(), now.y.data(), now.z.data()},
        speed{change.x.data(), change.y.data(), change.z.data()},
        lag(late) {}
};

/// Chooses the fewest looks without aliasing.
SurfaceRecorder::Looks SurfaceRecorder::looks_for(const RecordRate& record, int steps_per_sample,
                                                  double highest_frequency) {
  const double highest = highest_frequency / static_cast<double>(record.rate.hz);
  for (const int looks : {2, 4}) {
    if (steps_per_sample % looks == 0 && highest < looks - record.band)
      return {Kind::positions, looks, looks, needed_attenuation(highest, record.band)};
  }
  constexpr double full = util::LowPass::full_attenuation;
  if (steps_per_sample < summed_samples)
    return {Kind::velocities, steps_per_sample, steps_per_sample, full};
  return {Kind::sums, summed_samples, summed_samples / 2, full};
}

/// Loss of tones by differences, which the filters compensate.
std::vector<util::DecimatorChain::Loss> SurfaceRecorder::losses(const Looks& looks, double band) {
  const auto loss = [&](double frequency) -> util::DecimatorChain::Loss {
    const double x = std::numbers::pi * frequency / looks.looks;
    const double mean = std::pow(std::sin(x) / x, 2);
    return {frequency, looks.kind == Kind::sums ? mean * std::pow(std::cos(x), 4) : mean};
  };
  // One leaves 0.1 dB at the end of a band of a third.
  constexpr double narrow = 1.0 / 3.0;
  if (looks.differences > 2 || band <= narrow) return {loss(0.79 * band)};
  return {loss(0.48 * band), loss(0.86 * band)};
}

/// Weight of a look that is `looks` looks away from a shape: a Hann window, one shape long to both
/// sides. The weights of a look in all shapes, and of all looks in a shape, add up to 1.
float SurfaceRecorder::shape_weight(std::size_t looks) {
  constexpr auto length = static_cast<double>(shape_samples);
  const double x = static_cast<double>(looks) / length;
  return static_cast<float>((0.5 + 0.5 * std::cos(std::numbers::pi * x)) / length);
}

SurfaceRecorder::SurfaceRecorder(const Solid& solid, const base::Pose& frame, const Nodes& position,
                                 const Nodes& velocity, const RecordRate& record,
                                 int steps_per_sample, double highest_frequency)
    : frame_(frame),
      is_turned_(frame.orientation.coeffs() != geometry::Quat::Identity().coeffs()),
      across_(solid.middle.empty() ? 0 : solid.middle.vertices.size()),
      nodes_(blocks_of_nodes(recorded_nodes(solid))),
      blocks_(nodes_.size() / node_lanes),
      shape_samples_(SurfaceRecord::shape_samples(record.rate)),
      steps_per_sample_(steps_per_sample),
      looks_(looks_for(record, steps_per_sample, highest_frequency)),
      start_(3 * blocks_),
      coordinates_(3 * blocks_),
      parts_(looks_.kind == Kind::sums ? 3 * blocks_ : 0),
      shapes_(3 * blocks_),
      accelerations_(3 * blocks_, looks_.differences, losses(looks_, record.band),
                     looks_.attenuation, record.band) {
  record_.rate = record.rate;
  record_.mesh = solid.recorded();
  rows_.resize(accelerations_.at_once() * 3 * nodes_.size());
  instant_ = -accelerations_.late();
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::uint32_t* const nodes = &nodes_[block * node_lanes];
    is_in_row_.push_back(nodes[node_lanes - 1] == nodes[0] + (node_lanes - 1));
  }
  for (std::size_t v = 0; v < record_.mesh.vertices.size(); ++v) {
    const std::uint32_t node = nodes_[v];
    const geometry::Vec3 at = 0.5 * (position.at(node) + position.at(node + across_));
    const geometry::Vec3 moved = frame_.to_local(at) - record_.mesh.vertices[v];
    for (const double value : moved) moved_.push_back(static_cast<float>(value));
  }
  read(Source(position), [&](std::size_t c, const Values& now) { start_[c] = now; });
  read(Source(velocity), [&](std::size_t c, const Values& now) { coordinates_[c][0] = now; });
  if (looks_.kind != Kind::velocities) start_straight();
  // One shape before the start, which is left out.
  Nodes before = position;
  for (std::int64_t i = -shape_samples_; i < 0; i += samples_per_shape()) {
    for (const std::uint32_t one : nodes_) {
      for (const std::size_t node : {std::size_t{one}, one + across_})
        before.set(node, position.at(node) + velocity.at(node) * record.rate.seconds(i));
    }
    sample_shape(before);
  }
  sample_shape(position);
}

/// Block by block: x of its nodes, y, z; of a shell, means of both sides.
template <class Use>
inline void SurfaceRecorder::read(const Source& from, const Use& use) const {
  if (across_ == 0) {
    read_side(from, use);
    return;
  }
  Source other = from;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    other.values[axis] += across_;
    other.speed[axis] += across_;
  }
  std::vector<Values>& outer = sides_;
  outer.resize(3 * blocks_);
  read_side(from, [&](std::size_t c, const Values& now) { outer[c] = now; });
  read_side(other, [&](std::size_t c, const Values& now) {
    Values mean;
    for (std::size_t i = 0; i < now.size(); ++i) mean[i] = 0.5 * (outer[c][i] + now[i]);
    use(c, mean);
  });
}

template <class Use>
inline void SurfaceRecorder::read_side(const Source& from, const Use& use) const {
  // Copies, as `use` might change what members say.
  const Source source = from;
  const std::uint32_t* nodes = nodes_.data();
  const char* const is_in_row = is_in_row_.data();
  for (std::size_t block = 0, blocks = blocks_; block < blocks; ++block, nodes += node_lanes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double* const values = source.values[axis] + nodes[0];
      const double* const speed = source.speed[axis] + nodes[0];
      Values now;
      if (!is_in_row[block]) {
        double* const out = reinterpret_cast<double*>(now.data());
        for (std::size_t i = 0; i < node_lanes; ++i) {
          const std::size_t at = nodes[i] - nodes[0];
          out[i] = values[at] - source.lag * speed[at];
        }
      } else if (source.lag > 0.0) {
        for (std::size_t i = 0; i < now.size(); ++i)
          now[i] = util::load<Lanes>(values + i * recorded_lanes) -
                   source.lag * util::load<Lanes>(speed + i * recorded_lanes);
      } else {
        for (std::size_t i = 0; i < now.size(); ++i)
          now[i] = util::load<Lanes>(values + i * recorded_lanes);
      }
      use(3 * block + axis, now);
    }
  }
}

/// Initialises the differences with uniform motion before the start. The first look at positions
/// ends the sums that belong to the time before, if there are sums.
void SurfaceRecorder::start_straight() {
  const double step = record_.rate.step() / looks_.looks;
  const bool are_summed = looks_.kind == Kind::sums;
  if (are_summed) {
    --instant_;
    looked_ = static_cast<std::size_t>(looks_.looks) - 1;
  }
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    auto& [last, before] = coordinates_[c];
    for (std::size_t i = 0; i < start_[c].size(); ++i) {
      const Lanes x = start_[c][i], way = step * last[i];
      if (are_summed) parts_[c][i] = 0.5 * (x - way) + x;
      last[i] = are_summed ? 2.0 * (x - 2.0 * way) : x;
      before[i] = last[i] - (are_summed ? 4.0 * way : way);
    }
  }
}

void SurfaceRecorder::expect(std::int64_t instants) {
  const auto count = static_cast<std::size_t>(instants + run_out());
  const auto make_place = [&](std::size_t items, std::vector<float>& list) {
    list.reserve(items * record_.channels());
    util::prefer_large_pages(list.data(), list.capacity() * sizeof(float));
  };
  make_place(count, record_.accelerations);
  make_place(count / static_cast<std::size_t>(shape_samples_) + 2, record_.displacements);
}

void SurfaceRecorder::look(const Nodes& position, const Nodes& velocity) {
  const std::size_t now = looked_;
  looked_ = looked_ + 1 < static_cast<std::size_t>(looks_.looks) ? looked_ + 1 : 0;
  float* const samples = accelerations_.samples(0);
  if (looks_.kind == Kind::positions) {
    second_differences(Source(position), samples + accelerations_.slot(now));
  } else if (looks_.kind == Kind::velocities) {
    velocity_differences(Source(velocity), samples + accelerations_.slot(now));
  } else {
    // Half a step late, if at all.
    const double lag = static_cast<double>(passed_) * record_.rate.step() /
                       static_cast<double>(looks_.looks * steps_per_sample_);
    const Source from(position, velocity, lag);
    if (now % 2 == 0) {
      add_middles(from);
    } else {
      differences_of_sums(from, samples + accelerations_.slot(now / 2));
    }
  }
  if (looked_ == 0) filter(static_cast<std::size_t>(looks_.differences));
}

/// Positions in the middle of sums.
void SurfaceRecorder::add_middles(const Source& from) {
  Values* const parts = parts_.data();
  read(from, [=](std::size_t c, const Values& now) {
    for (std::size_t i = 0; i < now.size(); ++i) parts[c][i] += now[i];
  });
}

/// Positions give the accelerations at those before.
void SurfaceRecorder::second_differences(const Source& from, float* out) {
  const double scale = std::pow(looks_.differences * static_cast<double>(record_.rate.hz), 2);
  Coordinate* const coordinates = coordinates_.data();
  const std::size_t stride = accelerations_.stride(), newer = newer_;
  read(from, [=](std::size_t c, const Values& now) {
    const Values& last = coordinates[c][newer];
    Values& before = coordinates[c][1 - newer];
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Lanes change = (now[i] - last[i]) - (last[i] - before[i]);
      util::store(out + c * stride + recorded_lanes * i,
                  __builtin_convertvector(change * scale, SingleLanes));
      before[i] = now[i];
    }
  });
  newer_ = 1 - newer;
}

/// Positions at the end of sums, which give the accelerations in the middle of those before.
void SurfaceRecorder::differences_of_sums(const Source& from, float* out) {
  const double scale = 0.5 * std::pow(looks_.differences * static_cast<double>(record_.rate.hz), 2);
  Coordinate* const coordinates = coordinates_.data();
  Values* const parts = parts_.data();
  const std::size_t stride = accelerations_.stride(), newer = newer_;
  read(from, [=](std::size_t c, const Values& now) {
    const Values& last = coordinates[c][newer];
    Values& before = coordinates[c][1 - newer];
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Lanes half = 0.5 * now[i], sum = parts[c][i] + half;
      const Lanes change = (sum - last[i]) - (last[i] - before[i]);
      util::store(out + c * stride + recorded_lanes * i,
                  __builtin_convertvector(change * scale, SingleLanes));
      parts[c][i] = half;
      before[i] = sum;
    }
  });
  newer_ = 1 - newer;
}

/// Velocities led to positions.
void SurfaceRecorder::velocity_differences(const Source& from, float* out) {
  const double rate = static_cast<double>(record_.rate.hz) * looks_.looks;
  Coordinate* const coordinates = coordinates_.data();
  const std::size_t stride = accelerations_.stride();
  read(from, [=](std::size_t c, const Values& now) {
    Values& last = coordinates[c][0];
    for (std::size_t i = 0; i < now.size(); ++i) {
      util::store(out + c * stride + recorded_lanes * i,
                  __builtin_convertvector((now[i] - last[i]) * rate, SingleLanes));
      last[i] = now[i];
    }
  });
}

/// Passes `count` accelerations of a sample through the filters, block by block for locality.
void SurfaceRecorder::filter(std::size_t count) {
  const std::size_t results = accelerations_.at_once();
  const bool is_complete = accelerations_.push(count);
  if (!accelerations_.is_due()) return;
  for (std::size_t block = 0; block < blocks_; ++block) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      accelerations_.filter(3 * block + axis);
      if (is_complete) accelerations_.make(3 * block + axis, results_[axis]);
    }
    if (is_complete) write(block, results);
  }
  if (!is_complete) return;
  append(instant_, results, record_.accelerations);
  instant_ += static_cast<std::int64_t>(results);
}

/// A shape is complete when the last look before the next one has come.
void SurfaceRecorder::sample_shape(const Nodes& position) {
  const std::size_t look = shape_sample_;
  const float in_now = shape_weight(look), in_next = shape_weight(shape_samples - look);
  const Values* const start = start_.data();
  Shapes* const shapes = shapes_.data();
  read(Source(position), [=](std::size_t c, const Values& now) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto way = __builtin_convertvector(now[i] - start[c][i], SingleLanes);
      float* const in = &shapes[c].now[recorded_lanes * i];
      float* const then = &shapes[c].next[recorded_lanes * i];
      util::store(in, util::load<SingleLanes>(in) + in_now * way);
      util::store(then, util::load<SingleLanes>(then) + in_next * way);
    }
  });
  shape_sample_ = look + 1 < shape_samples ? look + 1 : 0;
  if (shape_sample_ > 0) return;
  for (std::size_t block = 0; block < blocks_; ++block) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Shapes& both = shapes_[3 * block + axis];
      std::ranges::copy(both.now, results_[axis].begin());
      both.now = both.next;
      both.next.fill(0.0f);
    }
    write(block, 1);
  }
  for (std::size_t i = 0; i < moved_.size(); ++i) rows_[i] += moved_[i];
  append(shape_++, 1, record_.displacements);
}

/// Turns the first `count` results from the world into the frame of the record.
void SurfaceRecorder::turn_results(std::size_t count) {
  const Eigen::Matrix3f turn = frame_.orientation.conjugate().toRotationMatrix().cast<float>();
  auto& [x, y, z] = results_;
  for (std::size_t i = 0; i < count * node_lanes; ++i) {
    const float a = x[i], b = y[i], c = z[i];
    x[i] = turn(0, 0) * a + turn(0, 1) * b + turn(0, 2) * c;
    y[i] = turn(1, 0) * a + turn(1, 1) * b + turn(1, 2) * c;
    z[i] = turn(2, 0) * a + turn(2, 1) * b + turn(2, 2) * c;
  }
}

/// The first `count` results of the nodes of a block.
void SurfaceRecorder::write(std::size_t block, std::size_t count) {
  if (is_turned_) turn_results(count);
  const auto& [x, y, z] = results_;
  for (std::size_t i = 0; i < count; ++i) {
    float* const row = &rows_[3 * (i * nodes_.size() + block * node_lanes)];
    for (std::size_t n = 0; n < node_lanes; n += 4) {
      const std::size_t at = i * node_lanes + n;
      weave_four(&x[at], &y[at], &z[at], row + 3 * n);
    }
  }
}

/// Appends the rows of all blocks, for the samples from `first` on; those before the start are left
/// out.
void SurfaceRecorder::append(std::int64_t first, std::size_t count,
                             std::vector<float>& list) const {
  for (auto i = static_cast<std::size_t>(std::max<std::int64_t>(0, -first)); i < count; ++i) {
    const float* const row = &rows_[3 * i * nodes_.size()];
    list.insert(list.end(), row, row + record_.channels());
  }
}

SurfaceRecord SurfaceRecorder::finish(std::int64_t instants) {
  record_.accelerations.resize(static_cast<std::size_t>(instants) * record_.channels(), 0.0f);
  return std::move(record_);
}

void SurfaceRecorder::serialize(util::Archive& archive) {
  archive.same(static_cast<std::uint64_t>(record_.rate.hz));
  archive.number(passed_, looked_, steps_, instant_, shape_, shape_sample_, newer_);
  archive.numbers(std::span(coordinates_));
  archive.numbers(std::span(parts_));
  archive.numbers(std::span(shapes_));
  accelerations_.serialize(archive);
  archive.growing_list(record_.accelerations);
  archive.growing_list(record_.displacements);
}

}  // namespace peal::elastic
