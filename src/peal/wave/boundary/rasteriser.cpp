#include <peal/util/error.h>
#include <peal/wave/boundary/creases.h>
#include <peal/wave/boundary/rasteriser.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::wave {

namespace {

/// The largest movement of surfaces, also relative to each other, between keys [cells]. Each key
/// places edges and rims anew in their cells, so more keys are noisier (driven discs at 20 m/s by 1
/// to 2 dB with 0.14 in place of 0.27 cells). Keys 0.5 cells apart are noisier too, because changes
/// between them are not linear.
constexpr double key_distance = 0.3;
/// The largest distance of a rigid body from the straight line between two keys [cells]: walls move
/// along that line, so a body that bounces between two keys would never touch the other.
constexpr double key_deviation = 0.03;

/// Steps between keys are powers of two or, if they are many, three quarters of one.
constexpr int shortest_quarters = 24;

int next_shorter(int steps) {
  if (steps % 3 == 0) return steps / 3 * 2;
  return steps / 4 * 3 >= shortest_quarters ? steps / 4 * 3 : steps / 2;
}

}  // namespace

Rasteriser::Rasteriser(const base::World& world, const Grid& grid,
                       const base::MotionSegment& segment)
    : grid_(grid) {
  for (const base::Body& body : world.bodies) {
    shapes_.emplace_back(body, segment);
    Parts& parts = parts_.emplace_back();
    if (!body.sources.empty())
      parts.of_triangles = parted_at_creases(body.mesh, body.triangle_part);
  }
}

bool Rasteriser::is_still() const {
  return std::ranges::all_of(shapes_, &BodyShape::is_still);
}

const std::vector<std::uint32_t>& Rasteriser::parts_at(std::size_t body, double t) {
  const BodyShape& shape = shapes_[body];
  Parts& parts = parts_[body];
  const std::size_t mesh = shape.mesh_number(t);
  if (mesh != parts.mesh && !shape.body().sources.empty())
    parts = {mesh, parted_at_creases(*shape.mesh(t), {})};
  return parts.of_triangles;
}

/// Whether a surface is not where it was when it was clipped.
bool Rasteriser::has_moved(std::size_t body, double t) {
  const BodyShape& shape = shapes_[body];
  if (shape.is_still()) return false;
  shape.vertices(t, vertices_);
  return shape.mesh_number(t) != placed_[body].mesh || vertices_ != placed_[body].vertices;
}

bool Rasteriser::rests_until(double t) {
  if (fractions_.empty()) return false;
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (has_moved(i, t)) return false;
  return true;
}

/// Clips the bodies that have moved.
void Rasteriser::clip(double t) {
  const bool first = fractions_.empty();
  fractions_.resize(shapes_.size());
  placed_.resize(shapes_.size());
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (!first && !has_moved(i, t)) continue;
    const base::Body& body = shapes_[i].body();
    Placed& placed = placed_[i];
    placed.mesh = shapes_[i].mesh_number(t);
    shapes_[i].vertices(t, placed.vertices);
    const std::shared_ptr<const geometry::TriMesh> mesh = shapes_[i].mesh(t);
    const std::vector<std::uint32_t>& parts = parts_at(i, t);
    fractions_[i] = body.is_sheet ? cut_sheet(grid_, placed.vertices, mesh->triangles, parts)
                                  : cut_fractions(grid_, placed.vertices, mesh->triangles, parts);
  }
}

CutGeometry Rasteriser::at(double t) {
  clip(t);
  return combined(grid_, fractions_);
}

CutGeometry Rasteriser::key_at(double t) {
  clip(t);
  return key_of(grid_, fractions_);
}

double Rasteriser::displacement(double t0, double t1) const {
  double most = 0.0, second = 0.0;
  for (const BodyShape& shape : shapes_) {
    const double way = shape.displacement(t0, t1);
    second = std::max(second, std::min(way, most));
    most = std::max(most, way);
  }
  return (most + second) / grid_.cell_size;
}

/// Whether a body leaves the straight line from one time to another, in one of the halves or as a
/// whole.
bool Rasteriser::bends(double t0, double t1) const {
  const double middle = 0.5 * (t0 + t1), allowed = key_deviation * grid_.cell_size;
  return std::ranges::any_of(shapes_, [&](const BodyShape& shape) {
    return shape.deviation(t0, t1) > allowed || shape.deviation(t0, middle) > allowed ||
           shape.deviation(middle, t1) > allowed;
  });
}

int Rasteriser::steps_to_next_key(std::int64_t now, double step, int longest) const {
  const int steps = steps_allowed(now, step, longest);
  if (steps == 1) refuse_too_fast(static_cast<double>(now) * step, step);
  return steps;
}

std::int64_t Rasteriser::key_before(std::int64_t now, double step, int longest) const {
  if (is_still()) return now;
  const std::int64_t cycle = std::int64_t{key_cycle} * longest;
  std::int64_t key = (now >= 0 ? now : now - cycle + 1) / cycle * cycle;
  while (true) {
    const std::int64_t next = key + steps_allowed(key, step, longest);
    if (next > now) return key;
    key = next;
  }
}

int Rasteriser::steps_allowed(std::int64_t now, double step, int longest) const {
  int steps = longest;
  const double t = static_cast<double>(now) * step;
  const auto too_far = [&](int count) {
    if (passes_meshes(t, t + count * step)) return true;
    // Check in between as well: an oscillating body may be back where it was.
    for (int quarter = 1; quarter <= 4; ++quarter) {
      if (displacement(t, t + 0.25 * quarter * count * step) > key_distance) return true;
    }
    // A bend never makes keys denser than this, so that it does not count as motion too fast to
    // follow.
    return count >= 4 && bends(t, t + count * step);
  };
  while (steps > 1 && (now % steps != 0 || too_far(steps))) steps = next_shorter(steps);
  return steps;
}

/// Whether a mesh of a sequence would begin and end between two keys.
bool Rasteriser::passes_meshes(double t0, double t1) const {
  return std::ranges::any_of(shapes_, [&](const BodyShape& shape) {
    return shape.mesh_number(t1) > shape.mesh_number(t0) + 1;
  });
}

void Rasteriser::refuse_too_fast(double t, double step) const {
  for (const BodyShape& shape : shapes_) {
    const double way = shape.displacement(t, t + step);
    if (way < grid_.cell_size) continue;
    throw util::InputError(
        {"", shape.body().name},
        fmt::format("moves at {:.3g} m/s at {:.4g} s, more than a cell in a step of the solver",
                    way / step, t),
        "Slow the animation down, or make the jump a STEP key.");
  }
}

}  // namespace peal::wave
