#include <peal/geometry/mesh/triangle.h>
#include <peal/wave/boundary/body_shape.h>
#include <peal/wave/driver/domain_chooser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace peal::wave {

namespace {

constexpr double body_to_box = 2.5;   ///< from bodies to the Kirchhoff surface [cells]
constexpr double expansion_room = 8;  ///< from the sphere around bodies to the box [cells]
constexpr int box_to_layer = 2;       ///< from the Kirchhoff surface to the absorbing layer [cells]
constexpr double look_interval = 2e-3;  ///< interval at which moving things are sampled [s]
constexpr double large_ratio = 3.0;     ///< smallest size of large bodies at rest over the core
constexpr double large_size = 1.5;  ///< smallest size of large bodies, which the domain may cut [m]
constexpr double near_part = 0.5;   ///< large bodies within this fraction of the core's size
constexpr double near_cells = 12.0;   ///< or within this distance belong to the domain [cells]
constexpr double roomy = 1.5;         ///< largest ratio up to which one box serves the scene
constexpr int smallest_interior = 4;  ///< smallest size of the Kirchhoff surface [cells]
constexpr double seen_ahead = 0.3;    ///< time after the sources that a box is chosen for [s]
constexpr double source_reach = 3.0;  ///< half width of the stencil of a point source [cells]

/// The offset of the lattice from the world's origin [cells], so that surfaces at round numbers do
/// not lie between cells, where a sheet would belong to neither.
constexpr std::array<double, 3> lattice_offset = {0.38, 0.27, 0.43};

double longest_side(const geometry::Box& box) {
  return box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
}

/// Whether a body is at rest and has no sound of its own.
bool is_passive(const base::Body& body) {
  return body.is_still() && body.sources.empty();
}

}  // namespace

bool holds_what_moves(const Domain& domain, const base::World& world,
                      const base::MotionSegment& segment, double t) {
  const double cell = domain.grid.cell_size;
  geometry::Box box = listening_bounds(domain);
  bool is_largest = true;
  for (int d = 0; d < 3; ++d) {
    constexpr double far = std::numeric_limits<double>::infinity();
    is_largest =
        is_largest && domain.low[d] == domain.rim_low[d] && domain.high[d] == domain.rim_high[d];
    box.min()[d] = domain.low[d] == domain.rim_low[d] ? -far : box.min()[d] + cell;
    box.max()[d] = domain.high[d] == domain.rim_high[d] ? far : box.max()[d] - cell;
  }
  if (is_largest) return true;
  for (const base::Body& body : world.bodies) {
    const BodyShape shape(body, segment);
    if (!shape.is_still() && !box.contains(shape.bounds(t))) return false;
  }
  for (const base::PointSource& source : world.sources) {
    if (source.motion->is_still()) continue;
    const Vec3 index = source.motion->pose(segment.clamp(t)).to_world(source.offset);
    const Vec3 around = Vec3::Constant(source_reach * cell);
    if (!box.contains(geometry::Box(index - around, index + around))) return false;
  }
  return true;
}

DomainChooser::DomainChooser(const base::World& world, const base::WaveSettings& settings,
                             const Discretisation& discretisation,
                             const base::MotionSegment& segment)
    : world_(world), settings_(settings), discretisation_(discretisation) {
  large_.assign(world.bodies.size(), false);
  large_ = large_bodies();
  const double duration = world.rate.seconds(world.samples);
  whole_ = content(std::max(0.0, segment.begin), std::min(duration, segment.end), segment);
  const geometry::Box start = content(0.0, 0.0, segment);
  const double margin = 2.0 * (body_to_box + box_to_layer + settings.layer_cells);
  const double around = margin * discretisation.cell_size;
  whole_scene_ = settings.domain.has_value() ||
                 longest_side(whole_) + around <= roomy * (longest_side(start) + around);
}

/// The bodies that are at rest, have no sound of their own, and are much larger than everything
/// else.
std::vector<bool> DomainChooser::large_bodies() const {
  geometry::Box core;
  for (const base::PointSource& source : world_.sources) {
    core.extend(source.motion->pose(0.0).to_world(source.offset));
  }
  std::vector<double> sizes;
  for (const base::Body& body : world_.bodies) {
    const BodyShape shape(body, {});
    const geometry::Box box = shape.bounds(0.0);
    sizes.push_back(longest_side(box));
    if (!is_passive(body)) core.extend(box);
  }
  const double reference = longest_side(core);
  std::vector<bool> large;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    large.push_back(is_passive(world_.bodies[i]) && sizes[i] > large_size &&
                    sizes[i] > large_ratio * reference);
  }
  return large;
}

geometry::Box DomainChooser::content(double begin, double end,
                                     const base::MotionSegment& segment) const {
  return content(begin, end, segment, [&](std::size_t i) { return !large_[i]; });
}

template <class Select>
geometry::Box DomainChooser::content(double begin, double end, const base::MotionSegment& segment,
                                     const Select& is_in) const {
  geometry::Box all;
  const auto each_time = [&](bool still, const auto& add) {
    const int looks = still ? 0 : static_cast<int>(std::ceil((end - begin) / look_interval));
    for (int i = 0; i <= looks; ++i) add(looks == 0 ? begin : begin + (end - begin) * i / looks);
  };
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    if (!is_in(i)) continue;
    const BodyShape shape(world_.bodies[i], segment);
    each_time(shape.is_still(), [&](double t) { all.extend(shape.bounds(t)); });
  }
  for (const base::PointSource& source : world_.sources) {
    each_time(source.motion->is_still(), [&](double t) {
      const Vec3 index = source.motion->pose(segment.clamp(t)).to_world(source.offset);
      const Vec3 around = Vec3::Constant(source_reach * discretisation_.cell_size);
      all.extend(geometry::Box(index - around, index + around));
    });
  }
  return all;
}

/// Extends the content to the nearest parts of large bodies that are near, since sound between them
/// and the other bodies is reflected back and forth.
void DomainChooser::reach_out(geometry::Box& content) const {
  const geometry::Box core = content;
  const double reach =
      std::max(near_part * longest_side(core), near_cells * discretisation_.cell_size);
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    if (!large_[i]) continue;
    std::vector<Vec3> vertices;
    BodyShape(world_.bodies[i], {}).vertices(0.0, vertices);
    for (const geometry::Triangle& t : world_.bodies[i].mesh.triangles) {
      const geometry::Corners corners = {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
      const Vec3 nearest =
          geometry::interpolate(corners, geometry::closest_barycentrics(corners, core.center()));
      if (core.exteriorDistance(nearest) < reach) content.extend(nearest);
    }
  }
}

Domain DomainChooser::domain_for(const Chunk& chunk, double end) const {
  geometry::Box all = whole_scene_ ? whole_ : content(chunk.first_source(), end, chunk.segment);
  if (!settings_.domain) reach_out(all);
  Domain domain = around(all);
  if (settings_.domain && settings_.far_field == base::WaveSettings::FarField::kirchhoff) {
    choose_box(chunk, end, domain);
  }
  domain.core = content(chunk.first_source(), chunk.last_source(), chunk.segment,
                        [&](std::size_t i) { return !is_passive(world_.bodies[i]); });
  return domain;
}

/// The margin from the content to the Kirchhoff surface [cells]. The radial expansion fits waves
/// outside of the sphere around everything, so it needs a larger box.
double DomainChooser::margin_cells(const geometry::Box& content) const {
  if (settings_.far_field == base::WaveSettings::FarField::kirchhoff) return body_to_box;
  const double sphere = 0.5 * content.diagonal().norm(), half = 0.5 * content.sizes().minCoeff();
  return (sphere - half) / discretisation_.cell_size + expansion_room;
}

Domain DomainChooser::around(const geometry::Box& content) const {
  const double h = discretisation_.cell_size;
  // Use the cells of the common lattice.
  constexpr double farthest = 1e8;  // cells from the origin, to avoid overflow
  const auto lattice = [&](double x, int d) {
    return static_cast<int>(std::clamp(std::floor(x / h - lattice_offset[d]), -farthest, farthest));
  };
  const double margin = margin_cells(content) * h;
  Cell low, high;
  for (int d = 0; d < 3; ++d) {
    if (settings_.domain) {
      // Use the whole given domain, so that the grid does not depend on what moves in it; see
      // choose_box.
      low[d] = lattice(settings_.domain->min()[d], d) + box_to_layer;
      high[d] = lattice(settings_.domain->max()[d], d) + 1 - box_to_layer;
    } else {
      low[d] = lattice(content.min()[d] - margin, d);
      high[d] = lattice(content.max()[d] + margin, d) + 1;
    }
    while (high[d] - low[d] < smallest_interior) --low[d], ++high[d];
  }
  Cell first, last;  // of the grid
  const int layer = settings_.outside == base::WaveSettings::Outside::layer ? settings_.layer_cells
                                                                            : box_to_layer;
  for (int d = 0; d < 3; ++d) {
    first[d] = low[d] - box_to_layer - layer;
    last[d] = high[d] + box_to_layer + layer;
    if (settings_.domain) {
      first[d] = std::min(first[d], lattice(settings_.domain->min()[d], d) - layer);
      last[d] = std::max(last[d], lattice(settings_.domain->max()[d], d) + 1 + layer);
    }
  }
  Domain domain;
  domain.content = content;
  domain.grid.cell_size = h;
  for (int d = 0; d < 3; ++d) {
    domain.grid.origin[d] = (first[d] + lattice_offset[d]) * h;
    domain.grid.size[d] = last[d] - first[d];
    domain.rim_low[d] = domain.low[d] = low[d] - first[d];
    domain.rim_high[d] = domain.high[d] = high[d] - first[d];
  }
  const geometry::Box box = listening_bounds(domain);
  for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
    const BodyShape shape(world_.bodies[i], {});
    if (shape.is_still() && !box.contains(shape.bounds(0.0))) domain.crossing.push_back(i);
  }
  return domain;
}

/// Chooses the Kirchhoff surface in a given domain, around all bodies, including large ones, and
/// sources: a box around the whole domain would have many times the faces. It depends on motion
/// while the chunk sounds and shortly after, so that later motion does not change it. If sound
/// rings longer than that and a body leaves the box, the run is repeated with the largest box
/// (chunk_run.cpp).
void DomainChooser::choose_box(const Chunk& chunk, double end, Domain& domain) const {
  const double until = std::min(end, chunk.last_source() + seen_ahead);
  const geometry::Box all =
      content(chunk.first_source(), until, chunk.segment, [](std::size_t) { return true; });
  if (all.isEmpty()) return;
  domain.chosen_until = until;
  for (int d = 0; d < 3; ++d) {
    const double h = domain.grid.cell_size, origin = domain.grid.origin[d];
    const double least = domain.rim_low[d], most = domain.rim_high[d];
    const auto cells = [&](double x) { return std::clamp((x - origin) / h, least, most); };
    int& low = domain.low[d];
    int& high = domain.high[d];
    low = static_cast<int>(std::floor(cells(all.min()[d] - body_to_box * h)));
    high = static_cast<int>(std::ceil(cells(all.max()[d] + body_to_box * h)));
    high = std::max(high, std::min(low + smallest_interior, domain.rim_high[d]));
    low = std::min(low, std::max(high - smallest_interior, domain.rim_low[d]));
  }
}

}  // namespace peal::wave
