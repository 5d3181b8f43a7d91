#include <peal/base/drop_crater.h>
#include <peal/scene/liquid.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace peal::scene {

namespace {

constexpr double falling = 9.81;  // [m/s^2]
constexpr double floor_depth = 0.62;
constexpr double opening = 0.6;     // of closing_time(), in which a crater opens
constexpr double last_swing = 6.0;  // of closing_time(), after which the surface rests

double smooth(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10.0 - x * (15.0 - 6.0 * x));
}

/// Volume of a frustum from a to b [m^3].
double frustum_volume(const Vec2& a, const Vec2& b) {
  return std::numbers::pi / 3.0 * (b.y() - a.y()) * (a.x() * a.x() + a.x() * b.x() + b.x() * b.x());
}

std::size_t parts_of(double length, double edge, std::size_t least, std::size_t most) {
  return static_cast<std::size_t>(
      std::clamp(std::ceil(length / edge), static_cast<double>(least), static_cast<double>(most)));
}

}  // namespace

double LiquidDrop::crater_radius() const {
  return std::pow(std::pow(diameter, 3) * speed * speed / (3.0 * falling), 0.25);
}

double LiquidDrop::closing_time() const {
  return base::crater_closing_time(diameter, speed, falling);
}

bool LiquidDrop::moves_surface(double t) const {
  return t > time && t < time + last_swing * closing_time();
}

double LiquidDrop::height(double s, double t) const {
  const double width = crater_radius();
  const double x = (t - time) / closing_time(), q = s * s / (width * width);
  if (!(x > 0.0) || x >= last_swing || q > 20.0) return 0.0;
  double open = smooth(x / opening);
  if (x > 1.0) {
    const double swing = x - 1.0;
    open = std::exp(-swing) * std::cos(std::numbers::pi * swing) *
           smooth((last_swing - x) / (last_swing - 2.0));
  }
  return -floor_depth * width * open * (1.0 - q) * std::exp(-q);
}

double LiquidJet::flow() const {
  return std::numbers::pi * nozzle_radius * nozzle_radius * nozzle_speed;
}

double LiquidJet::speed_at(double height) const {
  return std::sqrt(nozzle_speed * nozzle_speed +
                   2.0 * falling * std::max(0.0, nozzle_height - height));
}

double LiquidJet::radius_at(double height) const {
  return nozzle_radius * std::sqrt(nozzle_speed / speed_at(height));
}

double LiquidJet::fall_time(double height) const {
  return (speed_at(height) - nozzle_speed) / falling;
}

double LiquidBody::radius_at(double height) const {
  for (std::size_t i = 1; i < container.size(); ++i) {
    const Vec2 &a = container[i - 1], &b = container[i];
    if (height > b.y() || b.y() == a.y()) continue;
    return a.x() + (b.x() - a.x()) * std::max(0.0, (height - a.y()) / (b.y() - a.y()));
  }
  return container.back().x();
}

double LiquidBody::volume_below(double height) const {
  double volume = 0.0;
  for (std::size_t i = 1; i < container.size() && container[i - 1].y() < height; ++i) {
    const Vec2 &a = container[i - 1], &b = container[i];
    volume += frustum_volume(a, b.y() <= height ? b : Vec2(radius_at(height), height));
  }
  return volume;
}

double LiquidBody::height_of_craters(const Vec2& at, double t) const {
  double sum = 0.0;
  for (const LiquidDrop& drop : drops)
    if (drop.moves_surface(t)) sum += drop.height((at - drop.at).norm(), t);
  return sum;
}

bool LiquidBody::has_craters(double t) const {
  return std::ranges::any_of(drops, [&](const LiquidDrop& drop) { return drop.moves_surface(t); });
}

double LiquidBody::jet_arrives() const {
  return jet ? jet->begin + jet->fall_time(level) : 0.0;
}

double LiquidBody::jet_ends() const {
  return jet ? jet_arrives() + (jet->end - jet->begin) : 0.0;
}

double LiquidBody::level_at(double t) const {
  if (!jet || t <= jet_arrives()) return level;
  const double volume =
      volume_below(level) + jet->flow() * (std::min(t, jet_ends()) - jet_arrives());
  double low = level, high = rim();
  if (volume_below(high) <= volume) return high;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (volume_below(middle) < volume ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

LiquidShape::LiquidShape(const LiquidBody& liquid, bool with_jet) : liquid_(&liquid) {
  double widest = 0.0, length = 0.0;
  for (std::size_t i = 0; i < liquid.container.size(); ++i) {
    widest = std::max(widest, liquid.container[i].x());
    if (i > 0) length += (liquid.container[i] - liquid.container[i - 1]).norm();
  }
  const double edge = liquid.edge_length;
  around_ = parts_of(2.0 * std::numbers::pi * widest, edge, 24, 512);
  wall_rings_ = parts_of(length, 4.0 * edge, 8, 64);
  top_rings_ = parts_of(widest, edge, 4, 256);
  jet_rings_ = with_jet ? 12 : 0;
}

/// (r, y) of the rings from the bottom to the top, without the points on the axis.
std::vector<Vec2> LiquidShape::profile(double t) const {
  const LiquidBody& liquid = *liquid_;
  const double level = liquid.level_at(t), rim = liquid.radius_at(level) + liquid.overlap;
  // The wetted wall, from the axis to the level.
  std::vector<Vec2> wall;
  for (const Vec2& point : liquid.container) {
    if (point.y() >= level) break;
    wall.push_back(point);
  }
  wall.emplace_back(liquid.radius_at(level), level);
  double length = 0.0;
  for (std::size_t i = 1; i < wall.size(); ++i) length += (wall[i] - wall[i - 1]).norm();
  std::vector<Vec2> rings;
  std::size_t segment = 1;
  double passed = 0.0;
  for (std::size_t k = 1; k < wall_rings_; ++k) {
    const double at = length * static_cast<double>(k) / static_cast<double>(wall_rings_);
    while (segment + 1 < wall.size() && passed + (wall[segment] - wall[segment - 1]).norm() < at) {
      passed += (wall[segment] - wall[segment - 1]).norm();
      ++segment;
    }
    const Vec2 along = (wall[segment] - wall[segment - 1]).normalized();
    rings.push_back(wall[segment - 1] + (at - passed) * along +
                    liquid.overlap * Vec2(along.y(), -along.x()));
  }
  rings.emplace_back(rim, level);
  const double foot = jet_rings_ > 0 ? liquid.jet->radius_at(level) : 0.0;
  for (std::size_t k = 1; k <= top_rings_; ++k) {
    const double inward = static_cast<double>(k) / static_cast<double>(top_rings_ + 1);
    rings.emplace_back(rim + (foot - rim) * inward, level);
  }
  for (std::size_t k = 0; k < jet_rings_; ++k) {
    const double up = static_cast<double>(k) / static_cast<double>(jet_rings_ - 1);
    const double y = level + (liquid.jet->nozzle_height - level) * up;
    rings.emplace_back(liquid.jet->radius_at(y), y);
  }
  return rings;
}

void LiquidShape::vertices(double t, std::span<Vec3> out) const {
  const LiquidBody& liquid = *liquid_;
  std::vector<const LiquidDrop*> moving;
  for (const LiquidDrop& drop : liquid.drops)
    if (drop.moves_surface(t)) moving.push_back(&drop);
  const auto height = [&](double x, double z) {
    double sum = 0.0;
    for (const LiquidDrop* drop : moving) sum += drop->height((Vec2(x, z) - drop->at).norm(), t);
    return sum;
  };
  const std::vector<Vec2> rings = profile(t);
  std::size_t vertex = 0;
  out[vertex++] = Vec3(0.0, liquid.container.front().y() - liquid.overlap, 0.0);
  for (std::size_t ring = 0; ring < rings.size(); ++ring) {
    const bool on_surface = ring + 1 >= wall_rings_ && ring < wall_rings_ + top_rings_;
    for (std::size_t k = 0; k < around_; ++k) {
      const double angle =
          2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(around_);
      const double x = rings[ring].x() * std::cos(angle), z = rings[ring].x() * std::sin(angle);
      out[vertex++] = Vec3(x, rings[ring].y() + (on_surface ? height(x, z) : 0.0), z);
    }
  }
  const double top = jet_rings_ > 0 ? liquid.jet->nozzle_height : rings.back().y() + height(0, 0);
  out[vertex] = Vec3(0.0, top, 0.0);
}

std::vector<geometry::Triangle> LiquidShape::triangles() const {
  std::vector<geometry::Triangle> all;
  const auto count = static_cast<std::uint32_t>(around_);
  const auto last = static_cast<std::uint32_t>(rings() - 1);
  const auto at = [&](std::uint32_t ring, std::uint32_t k) { return 1 + ring * count + k % count; };
  const auto top = static_cast<std::uint32_t>(vertex_count() - 1);
  for (std::uint32_t k = 0; k < count; ++k) {
    all.push_back({0, at(0, k), at(0, k + 1)});
    for (std::uint32_t ring = 0; ring < last; ++ring) {
      all.push_back({at(ring, k), at(ring + 1, k), at(ring + 1, k + 1)});
      all.push_back({at(ring, k), at(ring + 1, k + 1), at(ring, k + 1)});
    }
    all.push_back({at(last, k), top, at(last, k + 1)});
  }
  return all;
}

geometry::TriMesh liquid_mesh(const LiquidBody& liquid, bool with_jet, double t) {
  const LiquidShape shape(liquid, with_jet);
  geometry::TriMesh mesh;
  mesh.triangles = shape.triangles();
  mesh.vertices.resize(shape.vertex_count());
  shape.vertices(t, mesh.vertices);
  return mesh;
}

}  // namespace peal::scene
