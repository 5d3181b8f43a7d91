#include <peal/dynamics/curved_surface.h>
#include <peal/dynamics/field_of_mesh.h>
#include <peal/geometry/io/stored_mesh.h>
#include <peal/geometry/mesh/inside.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace peal::dynamics {

namespace {

constexpr double usual_nodes = 2e5;          ///< of a body without thin walls
constexpr double most_nodes = 4e6;           ///< 16 MB
constexpr double cells_of_wall = 5.0;        ///< so that its two sides do not disturb each other
constexpr double least_cells_of_wall = 2.0;  ///< below, the far side bends the near one
/// Distance from the surface up to which samples are exact, in cells: two more than the splines of
/// true_cells reach.
constexpr double near_cells = DistanceField::true_cells + 2.0;
/// Cells around the body: one more than true_cells for the splines.
constexpr int padding = DistanceField::true_cells + 1;
constexpr std::size_t worth_keeping = 300000;  ///< nodes: about 0.3 s

double nodes_of(const Vec3& size, double cell) {
  return ((size / cell).array() + (2.0 * padding + 1.0)).prod();
}

/// The finest cells that `nodes` can pay for [m].
double cell_for(const Vec3& size, double nodes) {
  double fine = 1e-4 * size.maxCoeff(), coarse = size.maxCoeff();
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(fine * coarse);
    (nodes_of(size, middle) > nodes ? fine : coarse) = middle;
  }
  return coarse;
}

DistanceField::Lattice lattice_for(const geometry::Box& box, double wall) {
  const Vec3 size = box.sizes();
  const double finest = cell_for(size, most_nodes);
  const double cell = std::max(finest, std::min(cell_for(size, usual_nodes), wall / cells_of_wall));
  if (cell > wall / least_cells_of_wall) {
    throw std::invalid_argument(
        fmt::format("its walls of {:.2g} mm are too thin for a body of {:.2g} mm: at least {:.2g} "
                    "mm can be resolved",
                    1e3 * wall, 1e3 * size.maxCoeff(), 1e3 * least_cells_of_wall * finest));
  }
  DistanceField::Lattice lattice{.cell = cell};
  for (int k = 0; k < 3; ++k) {
    lattice.nodes[k] = static_cast<int>(std::ceil(size[k] / cell)) + 2 * padding + 1;
  }
  const Vec3 span = cell * Vec3(lattice.nodes[0] - 1, lattice.nodes[1] - 1, lattice.nodes[2] - 1);
  lattice.origin = box.center() - 0.5 * span;
  return lattice;
}

/// Every fourth node first, then what is near the surface; the rest lies between these.
class Sampler {
 public:
  Sampler(const CreasedMesh& mesh, const DistanceField::Lattice& lattice)
      : lattice_(lattice), surface_(mesh, lattice.cell), solid_(surface_.facets()) {
    coarse_.cell = every * lattice.cell;
    coarse_.origin = lattice.origin;
    for (int k = 0; k < 3; ++k) coarse_.nodes[k] = (lattice.nodes[k] - 1 + every - 1) / every + 1;
    far_.resize(coarse_.count());
    sample(coarse_, far_, [](const Vec3&) {
      return Guess{0.0, std::numeric_limits<double>::infinity(), true};
    });
  }

  std::vector<float> samples() const {
    std::vector<float> result(lattice_.count());
    sample(lattice_, result, [&](const Vec3& p) { return guess(p); });
    return result;
  }

 private:
  static constexpr int every = DistanceField::far_spacing;

  struct Guess {
    double between;  ///< of the coarse nodes around [m]
    double radius;   ///< within which the surface is [m]
    bool is_near;    ///< the surface may be within a few cells
  };

  Guess guess(const Vec3& p) const {
    const Vec3 x = (p - coarse_.origin) / coarse_.cell;
    std::array<int, 3> first;
    for (int k = 0; k < 3; ++k) {
      first[k] = std::clamp(static_cast<int>(x[k]), 0, coarse_.nodes[k] - 2);
    }
    Guess result{0.0, std::numeric_limits<double>::infinity(), false};
    double least = 0.0;
    for (int c = 0; c < 8; ++c) {
      const std::array<int, 3> at = {first[0] + (c & 1), first[1] + (c >> 1 & 1),
                                     first[2] + (c >> 2)};
      const double d =
          far_[static_cast<std::size_t>(at[0]) +
               static_cast<std::size_t>(coarse_.nodes[0]) *
                   (static_cast<std::size_t>(at[1]) +
                    static_cast<std::size_t>(coarse_.nodes[1]) * static_cast<std::size_t>(at[2]))];
      const double away = (coarse_.at(at[0], at[1], at[2]) - p).norm();
      result.radius = std::min(result.radius, std::abs(d) + away);
      least = std::max(least, std::abs(d) - away);
      double weight = 1.0;
      for (int k = 0; k < 3; ++k) weight *= 1.0 - std::abs(x[k] - at[k]);
      result.between += std::max(weight, 0.0) * d;
    }
    result.is_near = least < near_cells * lattice_.cell;
    return result;
  }

  template <class Guesser>
  void sample(const DistanceField::Lattice& lattice, std::vector<float>& result,
              const Guesser& guess) const {
    const int nx = lattice.nodes[0], ny = lattice.nodes[1];
    const auto rows = static_cast<std::int64_t>(result.size()) / nx;
    util::parallel_for(rows, [&](std::int64_t row) {
      const int j = static_cast<int>(row % ny), k = static_cast<int>(row / ny);
      float* line = result.data() + row * nx;
      // The surface is not crossed on a way that is shorter than the distance.
      double clear = 0.0;
      bool inside = false;
      for (int i = 0; i < nx; ++i) {
        const Vec3 p = lattice.at(i, j, k);
        const Guess about = guess(p);
        if (!about.is_near) {
          line[i] = static_cast<float>(about.between);
          clear = 0.0;
          continue;
        }
        const CurvedSurface::NearestPoint near = surface_.nearest(p, 1.001 * about.radius);
        if (near.side != 0) {
          inside = near.side < 0;
        } else if (clear < 1.01 * lattice.cell) {
          inside = solid_.inside(p);
        }
        line[i] = static_cast<float>(inside ? -near.distance : near.distance);
        clear = near.distance;
      }
    });
  }

  DistanceField::Lattice lattice_, coarse_;
  CurvedSurface surface_;
  geometry::InsideTest solid_;
  std::vector<float> far_;  ///< at the coarse nodes [m]
};

std::string key_of(const CreasedMesh& mesh, const DistanceField::Lattice& lattice) {
  util::Fingerprint fingerprint;
  geometry::hash(mesh.mesh, fingerprint);
  fingerprint.add(lattice.cell);
  return fingerprint.hex();
}

}  // namespace

void serialize(util::Archive& archive, FieldSamples& samples) {
  archive.same(samples.count);
  archive.list(samples.distances);
  if (samples.distances.size() != samples.count ||
      !std::ranges::all_of(samples.distances, [](float value) { return std::isfinite(value); }))
    throw util::InputError({}, "not the distances of this lattice");
}

double wall_thickness(const CreasedMesh& source) {
  const geometry::TriMesh& mesh = source.mesh;
  const geometry::SurfaceQuery query(mesh);
  const double size = geometry::bounds(mesh).sizes().maxCoeff();
  struct Wall {
    double thickness, area;
  };
  std::vector<Wall> walls;
  const std::size_t stride = std::max<std::size_t>(1, mesh.triangles.size() / 5000);
  double all = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += stride) {
    const Vec3 area = geometry::area_vector(mesh, t), normal = area.normalized();
    const Vec3 from = geometry::triangle_centre(mesh, t) - 1e-6 * size * normal;
    const auto hit = query.intersect({from, -normal});
    walls.push_back({hit ? hit->t : size, area.norm()});
    all += area.norm();
  }
  std::ranges::sort(walls, {}, &Wall::thickness);
  double sum = 0.0;
  for (const Wall& wall : walls) {
    sum += wall.area;
    if (sum > 0.05 * all) return wall.thickness;
  }
  return size;
}

std::shared_ptr<const DistanceField> field_of_mesh(const CreasedMesh& mesh, double wall,
                                                   const util::Store* fields) {
  const DistanceField::Lattice lattice = lattice_for(geometry::bounds(mesh.mesh), wall);
  FieldSamples samples{.count = lattice.count()};
  const bool is_stored = fields != nullptr && samples.count > worth_keeping;
  const std::string key = is_stored ? key_of(mesh, lattice) : std::string();
  const auto found = [&](util::Archive& archive) { serialize(archive, samples); };
  if (!is_stored || !fields->read(key, found)) {
    samples.distances = Sampler(mesh, lattice).samples();
    if (is_stored) fields->save(key, samples);
  }
  return std::make_shared<DistanceField>(lattice, std::move(samples.distances));
}

}  // namespace peal::dynamics
