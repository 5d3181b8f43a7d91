#include <peal/radiation/air_load.h>
#include <peal/radiation/emission.h>
#include <peal/radiation/surface_rays.h>
#include <peal/util/lagrange.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace peal::radiation {

namespace {

using base::SampleRange;
using util::Lagrange;

constexpr std::int64_t block = 256;              ///< instants of leaving
constexpr std::int64_t margin = Lagrange::taps;  ///< further samples that reading needs
constexpr std::size_t places_at_a_time = 256;
constexpr double least_distance = 0.005;  ///< nearer places are as loud as this [m]
constexpr double instant_step = 1e-5;     ///< half width of a velocity [s]
constexpr double shape_look = 0.01;       ///< from one look at how far a shape gets to the next [s]

/// Surface places a wavelength.
constexpr double places_per_wavelength = 4.0;

using Weights = std::array<float, Lagrange::taps>;

Weights weights_at(double fraction) {
  const Lagrange::Weights exact = Lagrange::at(fraction);
  Weights weights;
  for (int k = 0; k < Lagrange::taps; ++k) weights[k] = static_cast<float>(exact.value[k]);
  return weights;
}

/// For rays whose delay changes: weights at so many fractions that taking the nearest errs by 5e-4
/// of a sample at most, 2e-4 of a tone of ten samples a period.
const std::vector<Weights>& weight_table() {
  static const std::vector<Weights> table = [] {
    constexpr int fractions = 1024;
    std::vector<Weights> all;
    for (int i = 0; i <= fractions; ++i) all.push_back(weights_at(double(i) / fractions));
    return all;
  }();
  return table;
}

float read(const float* samples, const Weights& weights) {
  float sum = 0.0f;
  for (int k = 0; k < Lagrange::taps; ++k) sum += weights[k] * samples[k];
  return sum;
}

}  // namespace

/// The sums of a few places over the samples that their rays arrive in.
class SurfaceRays::Window {
 public:
  Window() = default;
  Window(std::int64_t begin, std::int64_t end)
      : begin_(begin), size_(static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin))) {
    for (auto& list : sums_) list.assign(size_, 0.0f);
  }

  /// Adds a ray whose delay does not change, from sample `first` on.
  void add_steady(std::int64_t first, std::int64_t count, const float* samples,
                  const Weights& weights, const Ray& from, const Ray& to) {
    const auto at = static_cast<std::size_t>(first - begin_);
    float* __restrict m = &sums_[0][at], * __restrict d = &sums_[1][at], * __restrict n = &sums_[2][at], * __restrict sd = &sums_[3][at], * __restrict sn = &sums_[4][at];
    const Weights w = weights;
    const float step = 1.0f / static_cast<float>(count), air = std::max(from.air, to.air);
    const float dm = (to.monopole - from.monopole) * step, dd = (to.dipole - from.dipole) * step,
                dn = (to.near - from.near) * step;
    for (std::int64_t i = 0; i < count; ++i) {
      const float* s = samples + i;
      const float value = ((w[0] * s[0] + w[1] * s[1]) + (w[2] * s[2] + w[3] * s[3])) +
                          ((w[4] * s[4] + w[5] * s[5]) + (w[6] * s[6] + w[7] * s[7]));
      const auto along = static_cast<float>(i);
      const float dipole = (from.dipole + along * dd) * value,
                  near = (from.near + along * dn) * value;
      m[i] += (from.monopole + along * dm) * value;
      d[i] += dipole;
      n[i] += near;
      sd[i] += air * dipole;
      sn[i] += air * near;
    }
  }

  /// Adds one sample of a ray, `along` from 0 to 1 between its two ends.
  void add(std::int64_t sample, float value, const Ray& from, const Ray& to, float along) {
    const auto at = static_cast<std::size_t>(sample - begin_);
    const float dipole = (from.dipole + along * (to.dipole - from.dipole)) * value;
    const float near = (from.near + along * (to.near - from.near)) * value;
    sums_[0][at] += (from.monopole + along * (to.monopole - from.monopole)) * value;
    sums_[1][at] += dipole;
    sums_[2][at] += near;
    sums_[3][at] += from.air * dipole;
    sums_[4][at] += from.air * near;
  }

  void add_to(SurfaceSums& sums, SampleRange heard) const {
    for (std::size_t i = 0; i < size_; ++i) {
      const std::int64_t sample = begin_ + static_cast<std::int64_t>(i);
      if (sample < heard.begin || sample >= heard.end) continue;
      const auto at = static_cast<std::size_t>(sample - heard.begin);
      const auto all = sums.all();
      for (std::size_t k = 0; k < sums_.size(); ++k)
        (*all[k])[at] += static_cast<double>(sums_[k][i]);
    }
  }

 private:
  std::int64_t begin_ = 0;
  std::size_t size_ = 0;
  std::array<std::vector<float>, 5> sums_;  ///< in the order of SurfaceSums
};

SurfaceRays::SurfaceRays(const base::World& world, std::size_t body,
                         std::span<const base::Receiver> receivers, Occluders& occluders,
                         const base::RaysSettings& settings, base::Rate rate)
    : world_(world),
      body_(world.bodies[body]),
      number_(body),
      receivers_(receivers),
      occluders_(occluders),
      form_(settings.form),
      rate_(rate),
      is_still_(occluders.are_still() && std::ranges::all_of(receivers,
                                                             [](const base::Receiver& receiver) {
                                                               return receiver.motion->is_still();
                                                             })),
      samples_(sample_surface(body_.mesh, world.medium.speed_of_sound / settings.max_frequency /
                                              places_per_wavelength)),
      air_lengths_(air_lengths(samples_)) {
  series_.resize(places() * (block + margin));
  bind(0.0);
}

std::vector<SampleRange> SurfaceRays::sounding(SampleRange range) const {
  std::vector<SampleRange> all;
  for (const auto& shader : body_.shaders) {
    for (const SampleRange& one : shader->sounding(rate_, range)) all.push_back(one);
  }
  return all;
}

/// Where the surface is at t, and how it moves.
void SurfaceRays::place_surface(double t) {
  const std::size_t count = places();
  places_.resize(count);
  normals_.resize(count);
  velocities_.assign(count, base::Vec3::Zero());
  const base::Pose pose = body_.motion->pose(t);
  const bool moves = !body_.motion->is_still();
  const base::Pose before = body_.motion->pose(t - instant_step);
  const base::Pose after = body_.motion->pose(t + instant_step);
  if (body_.deformation) take_shape(t);
  for (std::size_t i = 0; i < count; ++i) {
    const base::SurfacePoint& point = samples_.points[i];
    places_[i] = pose.to_world(point.position);
    normals_[i] = pose.orientation * point.normal;
    if (moves) {
      velocities_[i] =
          (after.to_world(point.position) - before.to_world(point.position)) / (2 * instant_step);
    }
  }
  if (body_.deformation) add_shape_velocities(t, pose);
}

/// Moves the places to where they are in the shape that the body has at t.
void SurfaceRays::take_shape(double t) {
  std::vector<base::Vec3> vertices(body_.mesh.vertices.size());
  body_.deformation->vertices(t, vertices);
  move_to(samples_, body_.mesh, vertices);
}

/// What the change of the shape adds to the velocities.
void SurfaceRays::add_shape_velocities(double t, const base::Pose& pose) {
  std::vector<base::Vec3> before(body_.mesh.vertices.size()), after(before.size());
  body_.deformation->vertices(t - instant_step, before);
  body_.deformation->vertices(t + instant_step, after);
  for (std::size_t i = 0; i < places(); ++i) {
    const base::SurfacePoint& point = samples_.points[i];
    base::Vec3 way = base::Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t corner =
          body_.mesh.triangles[point.triangle][static_cast<std::size_t>(k)];
      way += point.barycentric[k] * (after[corner] - before[corner]);
    }
    velocities_[i] += pose.orientation * way / (2 * instant_step);
  }
}

/// How far the surface gets from the origin of its frame, at most [m].
double SurfaceRays::reach() const {
  geometry::Box box = geometry::bounds(body_.mesh);
  if (body_.deformation) {
    std::vector<base::Vec3> vertices(body_.mesh.vertices.size());
    const double end = world_.rate.seconds(world_.samples);
    for (double t = 0.0; t < end + shape_look; t += shape_look) {
      body_.deformation->vertices(t, vertices);
      for (const base::Vec3& vertex : vertices) box.extend(vertex);
    }
  }
  return box.center().norm() + 0.5 * box.diagonal().norm();
}

/// Asks the shaders at the places of the shape that the body has at t.
void SurfaceRays::bind(double t) {
  if (body_.deformation) take_shape(t);
  shaders_.clear();
  for (const auto& shader : body_.shaders) shaders_.push_back(shader->bound_to(samples_.points));
}

bool SurfaceRays::is_seen(std::size_t place, const base::Vec3& ear, double cosine) const {
  const bool all_around = form_ == base::RaysSettings::Form::kirchhoff;
  if (!all_around && cosine <= 0.0 && !body_.is_sheet) return false;
  const auto except = all_around ? std::optional(number_) : std::nullopt;
  return !occluders_.block(places_[place], ear, except);
}

SurfaceRays::Ray SurfaceRays::ray(std::size_t place, const base::Receiver& receiver,
                                  std::int64_t index) const {
  const double c = world_.medium.speed_of_sound, left = rate_.seconds(index);
  // The receiver where it is when sound arrives: its speed is small against that of sound.
  double arrival = left, distance = 0.0;
  base::Vec3 ear, way;
  for (int i = 0; i < (receiver.motion->is_still() ? 1 : 8); ++i) {
    ear = receiver.motion->pose(arrival).to_world(receiver.offset);
    way = ear - places_[place];
    distance = std::max(way.norm(), least_distance);
    const double next = left + distance / c;
    const bool close = std::abs(next - arrival) < 1e-9 * rate_.step();
    arrival = next;
    if (close) break;
  }
  Ray ray{.delay = rate_.samples(distance / c), .air = static_cast<float>(air_lengths_[place])};
  const double cosine = normals_[place].dot(way) / distance;
  if (!is_seen(place, ear, cosine)) return ray;
  const double doppler = 1.0 - velocities_[place].dot(way) / (distance * c);
  const double spread = samples_.area[place] / (distance * doppler * doppler);
  // The far side of a sheet moves the other way: what pushes there pulls here.
  const double sides = body_.is_sheet && form_ == base::RaysSettings::Form::kirchhoff ? 2.0 : 1.0;
  double monopole = body_.is_sheet ? 0.0 : spread;
  if (body_.is_sheet && form_ != base::RaysSettings::Form::kirchhoff) {
    monopole = cosine < 0.0 ? -spread : spread;
  }
  ray.monopole = static_cast<float>(monopole);
  ray.dipole = static_cast<float>(sides * spread * cosine);
  ray.near = static_cast<float>(sides * spread * cosine / distance);
  return ray;
}

SurfaceRays::Rays SurfaceRays::rays_at(std::int64_t index) {
  const double t = rate_.seconds(index);
  place_surface(t);
  if (!is_still_) occluders_.set_time(t);
  Rays rays(receivers_.size(), std::vector<Ray>(places()));
  for (std::size_t r = 0; r < receivers_.size(); ++r) {
    util::parallel_for_small(places(),
                             [&](std::size_t i) { rays[r][i] = ray(i, receivers_[r], index); });
  }
  return rays;
}

/// Fills the series, which start at `first`, for the instants [begin, end).
void SurfaceRays::record(std::int64_t first, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t at_once = 16;
  constexpr auto length = static_cast<std::size_t>(block + margin);
  const std::size_t count = places();
  instants_.resize(count * at_once);
  for (std::int64_t from = begin; from < end; from += at_once) {
    const std::int64_t instants = std::min(at_once, end - from);
    // Normals turn with the shape: once a block would be heard as steps.
    if (body_.deformation) take_shape(rate_.seconds(from) + 0.5 * rate_.step() * double(instants));
    for (std::int64_t i = 0; i < instants; ++i) {
      const std::span<float> instant(&instants_[static_cast<std::size_t>(i) * count], count);
      std::ranges::fill(instant, 0.0f);
      for (const auto& shader : shaders_) shader->add_acceleration({from + i, rate_}, instant);
    }
    for (std::size_t place = 0; place < count; ++place) {
      float* series = &series_[place * length + static_cast<std::size_t>(from - first)];
      for (std::int64_t i = 0; i < instants; ++i) {
        series[i] = instants_[static_cast<std::size_t>(i) * count + place];
      }
    }
  }
}

/// What leaves a place in the block from `start` on.
void SurfaceRays::add_place(std::size_t place, const Ray& from, const Ray& to, std::int64_t start,
                            Window& window) const {
  const float* series = &series_[place * static_cast<std::size_t>(block + margin)];
  const auto whole = [](double x) { return static_cast<std::int64_t>(std::ceil(x)); };
  const auto add_steady = [&](double delay, const Ray& a, const Ray& b) {
    const std::int64_t late = whole(delay);
    window.add_steady(start + late, block, series, weights_at(static_cast<double>(late) - delay), a,
                      b);
  };
  const double growth = to.delay - from.delay;
  if (std::abs(growth) < 1e-6) return add_steady(from.delay, from, to);
  if (std::abs(growth) > 0.5 * double(block)) {  // a jump
    add_steady(from.delay, from, Ray{});
    return add_steady(to.delay, Ray{}, to);
  }
  const std::vector<Weights>& table = weight_table();
  const double per_sample = 1.0 / (double(block) + growth);
  const auto fractions = static_cast<double>(table.size() - 1);
  for (std::int64_t n = whole(from.delay); n < block + whole(to.delay); ++n) {
    const double along = (static_cast<double>(n) - from.delay) * per_sample;
    const double left = along * double(block), floor = std::floor(left);
    const auto at = static_cast<std::size_t>(std::lround((left - floor) * fractions));
    window.add(start + n, read(series + static_cast<std::int64_t>(floor), table[at]), from, to,
               static_cast<float>(along));
  }
}

/// Fills the series with a block of instants from `first` on, of which the last block may hold the
/// beginning. Returns whether it did.
bool SurfaceRays::record_block(std::int64_t first) {
  const bool follows = recorded_ == first + margin;
  if (follows) {
    for (std::size_t place = 0; place < places(); ++place) {
      float* series = &series_[place * static_cast<std::size_t>(block + margin)];
      std::copy_n(series + block, margin, series);
    }
  }
  record(first, follows ? recorded_ : first, first + block + margin);
  recorded_ = first + block + margin;
  return follows;
}

/// What the places [low, high) send in the block from `start` on.
SurfaceRays::Window SurfaceRays::heard_of(std::size_t low, std::size_t high,
                                          const std::vector<Ray>& from, const std::vector<Ray>& to,
                                          std::int64_t start) const {
  double earliest = std::numeric_limits<double>::infinity(), latest = -earliest;
  for (std::size_t i = low; i < high; ++i) {
    earliest = std::min({earliest, from[i].delay, to[i].delay});
    latest = std::max({latest, from[i].delay, to[i].delay});
  }
  Window window(start + static_cast<std::int64_t>(std::floor(earliest)),
                start + static_cast<std::int64_t>(std::ceil(latest)) + block + 2);
  for (std::size_t i = low; i < high; ++i) add_place(i, from[i], to[i], start, window);
  return window;
}

std::vector<SurfaceSums> SurfaceRays::sums(SampleRange heard,
                                           const std::function<void(double)>& done) {
  const auto length = static_cast<std::size_t>(heard.size());
  std::vector<SurfaceSums> all(receivers_.size());
  for (SurfaceSums& one : all) {
    for (auto* list : one.all()) list->assign(length, 0.0);
  }
  const double delay = longest_delay(world_, *body_.motion, base::Vec3::Zero(), receivers_) +
                       reach() / world_.medium.speed_of_sound;
  const std::int64_t earliest = heard.begin - static_cast<std::int64_t>(rate_.samples(delay));
  const std::int64_t begin = std::max<std::int64_t>(0, earliest / block - 1) * block;
  const std::vector<SampleRange> sounding = this->sounding({begin, heard.end});
  const std::size_t chunks = (places() + places_at_a_time - 1) / places_at_a_time;
  std::vector<Window> windows(chunks * receivers_.size());
  Rays from, to;
  for (std::int64_t start = begin; start < heard.end; start += block) {
    // Reading at `start` needs samples from `first` on, and before the next start those up to end.
    const std::int64_t first = start - Lagrange::before, end = first + block + margin;
    const bool sounds = std::ranges::any_of(
        sounding, [&](const SampleRange& range) { return range.begin < end && range.end > first; });
    if (!sounds) continue;
    if (body_.deformation) bind(rate_.seconds(start));
    const bool follows = record_block(first);
    if (!is_still_ || to.empty()) {
      from = follows && !to.empty() ? std::move(to) : rays_at(start);
      to = rays_at(start + block);
    }
    util::parallel_for(static_cast<std::int64_t>(windows.size()), [&](std::int64_t task) {
      const std::size_t r = static_cast<std::size_t>(task) / chunks;
      const std::size_t low = static_cast<std::size_t>(task) % chunks * places_at_a_time;
      windows[static_cast<std::size_t>(task)] =
          heard_of(low, std::min(low + places_at_a_time, places()), from[r], to[r], start);
    });
    for (std::size_t task = 0; task < windows.size(); ++task) {
      windows[task].add_to(all[task / chunks], heard);
    }
    done(static_cast<double>(start - begin) / static_cast<double>(heard.end - begin));
  }
  return all;
}

}  // namespace peal::radiation
