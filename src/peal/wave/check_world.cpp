#include <peal/geometry/inside.h>
#include <peal/geometry/mesh_topology.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>
#include <peal/wave/check_world.h>
#include <peal/wave/mirrors.h>
#include <peal/wave/scenery.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

using base::World;

constexpr double look = 0.01;         ///< time between looks at what moves [s]
constexpr double memory_share = 0.8;  ///< of the machine's memory that a render may take
constexpr int most_cells = 4000;      ///< along one axis

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

/// The solids of a world, to ask where air is.
class Solids {
 public:
  explicit Solids(const World& world) {
    for (const base::Body& body : world.bodies) {
      if (body.is_sheet) continue;
      shapes_.emplace_back(body, base::Piece{});
      insides_.emplace_back(body.mesh);
    }
  }

  /// The body that holds a point at a time, or null.
  const base::Body* around(const Vec3& x, double t) const {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (insides_[i].inside(shapes_[i].to_body(t, x))) return &shapes_[i].body();
    }
    return nullptr;
  }

  bool are_still() const { return std::ranges::all_of(shapes_, &BodyShape::is_still); }

 private:
  std::vector<BodyShape> shapes_;
  std::vector<geometry::InsideTest> insides_;
};

/// When a moving point is first inside a solid.
struct Trap {
  const base::Body* body;
  double time;    ///< [s]
  bool for_ever;  ///< at every look
};

std::optional<Trap> find_trap(const Solids& solids, const World& world, const base::Motion& motion,
                              const Vec3& offset) {
  const double duration = world.rate.seconds(world.samples);
  const bool still = motion.is_still() && solids.are_still();
  const int looks = still ? 0 : static_cast<int>(std::ceil(duration / look));
  std::optional<Trap> first;
  bool always = true;
  for (int i = 0; i <= looks; ++i) {
    const double t = looks == 0 ? 0.0 : duration * i / looks;
    const base::Body* body = solids.around(motion.pose(t).to_world(offset), t);
    if (body && !first) first = Trap{body, t, true};
    always = always && body;
  }
  if (first) first->for_ever = always;
  return first;
}

void check_sources(const World& world, const Solids& solids) {
  for (const base::PointSource& source : world.sources) {
    const auto trap = find_trap(solids, world, *source.motion, source.offset);
    if (!trap) continue;
    throw util::InputError(
        {"", source.name},
        fmt::format("its point source is inside the solid \"{}\" at {:.3g} s", trap->body->name,
                    trap->time),
        "Move it out with \"offset\", or make the surface sound with a \"speaker\".");
  }
}

void check_receivers(const World& world, const Solids& solids,
                     std::span<const base::Receiver> receivers, base::RadiationPlan& plan) {
  for (const base::Receiver& receiver : receivers) {
    const auto trap = find_trap(solids, world, *receiver.motion, receiver.offset);
    if (!trap) continue;
    if (trap->for_ever) {
      throw util::InputError({"", receiver.name},
                             fmt::format("is inside the solid \"{}\"", trap->body->name),
                             "Move the listener into the air.");
    }
    plan.notices.push_back(
        fmt::format("\"{}\" is inside the solid \"{}\" at {:.3g} s and hears "
                    "nothing sensible there",
                    receiver.name, trap->body->name, trap->time));
  }
}

void check_speeds(const World& world) {
  const double duration = world.rate.seconds(world.samples), step = 1e-3;
  const double limit = base::largest_mach * world.medium.speed_of_sound;
  for (const base::Body& body : world.bodies) {
    const BodyShape shape(body, {});
    if (shape.is_still()) continue;
    const auto jumps = body.motion->jumps();
    for (double t = 0.0; t < duration; t += step) {
      const double speed = shape.displacement(t, t + step) / step;
      const bool jumped =
          std::ranges::any_of(jumps, [&](double jump) { return jump > t && jump <= t + step; });
      if (speed < limit || jumped) continue;
      throw util::InputError(
          {"", body.name},
          fmt::format("moves at {:.3g} m/s at {:.4g} s, too fast for its sound to run ahead", speed,
                      t),
          "Slow the animation down, or make the jump a STEP key.");
    }
  }
}

/// Facets of a curved surface that a wave of the highest frequency can tell apart.
bool looks_coarse(const geometry::TriMesh& mesh, double wavelength) {
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  double bent = 0.0, all = 0.0;
  for (std::uint32_t i = 0; i < topology.edges.size(); ++i) {
    if (!topology.is_manifold(i)) continue;
    const auto& [a, b] = topology.edges[i];
    const auto triangles = topology.edge_triangles[i];
    const Vec3 n0 = geometry::area_vector(mesh, triangles[0]);
    const Vec3 n1 = geometry::area_vector(mesh, triangles[1]);
    const double length = (mesh.vertices[a] - mesh.vertices[b]).norm();
    const double narrow = 2.0 * std::min(n0.norm(), n1.norm()) / std::max(length, 1e-12);
    const double cosine = n0.normalized().dot(n1.normalized());
    all += length;
    // 15 to 60 degrees: more is meant as an edge, less hardly scatters.
    if (narrow > wavelength / 4.0 && cosine < 0.966 && cosine > 0.5) bent += length;
  }
  return bent > 0.2 * all;
}

void check_meshes(const ChunkRun& run, base::RadiationPlan& plan) {
  const double wavelength = run.world.medium.speed_of_sound / run.settings.max_frequency;
  for (const base::Body& body : run.world.bodies) {
    if (body.mesh.triangles.size() > 200000 || !looks_coarse(body.mesh, wavelength)) continue;
    plan.notices.push_back(
        fmt::format("the mesh of \"{}\" is coarse: facets longer than a quarter of the shortest "
                    "wavelength ({:.3g} mm) bend by 15 degrees and more, and will be heard as "
                    "facets. A finer mesh helps",
                    body.name, 1e3 * wavelength));
  }
}

void check_cells(const ChunkRun& run, base::RadiationPlan& plan) {
  constexpr double fewest = 4.0;
  const double cells = run.discretisation.cells_per_wavelength;
  if (cells >= fewest) return;
  plan.notices.push_back(
      fmt::format("{:.2g} cells in the shortest wavelength are too few: levels near {:g} Hz are "
                  "chance. A smaller \"cell_size\" or \"max_frequency\" helps",
                  cells, run.settings.max_frequency));
}

void check_given_domain(const ChunkRun& run) {
  if (!run.settings.domain) return;
  const geometry::Box& box = *run.settings.domain;
  for (const base::Body& body : run.world.bodies) {
    const BodyShape shape(body, {});
    if (body.shaders.empty() || box.contains(shape.bounds(run.chunk.begin))) continue;
    throw util::InputError({"", "radiation.domain"},
                           fmt::format("\"{}\", which sounds, is not wholly inside", body.name),
                           "Give a larger domain, or leave it out: Peal finds one.");
  }
  for (const base::PointSource& source : run.world.sources) {
    const Vec3 x = source.motion->pose(run.chunk.begin).to_world(source.offset);
    if (box.contains(x)) continue;
    throw util::InputError({"", "radiation.domain"},
                           fmt::format("the point source of \"{}\" is outside", source.name),
                           "Give a larger domain, or leave it out: Peal finds one.");
  }
}

/// How long the pieces last from 0 to `duration`, and when what they leave out begins [s].
struct Audible {
  double seconds = 0.0;
  double first_gap = 0.0;
};

Audible audible_time(std::span<const base::Piece> pieces, double duration) {
  Audible audible;
  for (const base::Piece& piece : pieces) {
    const double begin = std::max(piece.begin, 0.0), end = std::min(piece.end, duration);
    if (begin <= audible.first_gap) audible.first_gap = std::max(audible.first_gap, end);
    audible.seconds += std::max(0.0, end - begin);
  }
  return audible;
}

void mention_silence_behind(const ChunkRun& run, const Mirrors& mirrors,
                            const std::vector<std::string>& names, base::RadiationPlan& plan) {
  const double duration = run.world.rate.seconds(run.world.samples);
  for (const base::Receiver& receiver : run.receivers) {
    const std::vector<base::Piece> pieces =
        pieces_in_front(receiver, mirrors.planes, run.domain.grid.cell_size, 0.0, duration);
    const Audible audible = audible_time(pieces, duration);
    if (audible.seconds >= duration * (1.0 - 1e-9)) continue;
    const std::string when =
        pieces.empty() ? ""
                       : fmt::format(" for {:.3g} of {:.3g} s, from {:.3g} s on,",
                                     duration - audible.seconds, duration, audible.first_gap);
    plan.notices.push_back(fmt::format(
        "\"{}\" is{} behind a floor or wall that counts as endless ({}) and hears nothing there. "
        "Move it to the front, or give a \"domain\" in \"radiation\" that holds the whole body",
        receiver.name, when, fmt::join(names, ", ")));
  }
}

void mention_cut_bodies(const ChunkRun& run, base::RadiationPlan& plan) {
  if (run.domain.crossing.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t number : run.domain.crossing) {
    names.push_back('"' + run.world.bodies[number].name + '"');
  }
  Scenery scenery(run.world, run.domain.grid, run.chunk.hold);
  const Mirrors mirrors = find_mirrors(run.world, scenery.at(run.chunk.begin), run.domain);
  mention_silence_behind(run, mirrors, names, plan);
  for (const std::string& name : names) {
    plan.notices.push_back(
        mirrors.complete
            ? fmt::format("{} reaches beyond the domain and counts as an endless plane there", name)
            : fmt::format("{} reaches beyond the domain: what lies outside does not reflect. "
                          "\"domain\" in \"radiation\" can make room for it",
                          name));
  }
}

}  // namespace

void check_memory(std::span<const ChunkRun> runs) {
  double largest = 0.0;
  for (const ChunkRun& run : runs) {
    largest = std::max(largest, field_bytes(run));
    if (std::ranges::max(run.domain.grid.size) > most_cells) {
      largest = std::numeric_limits<double>::infinity();
    }
  }
  const auto at_once = static_cast<double>(
      std::min<std::size_t>(runs.size(), static_cast<std::size_t>(util::thread_count())));
  const double needed = largest * at_once, there = machine_memory();
  if (needed <= memory_share * there) return;
  const Cell& n = runs.front().domain.grid.size;
  throw util::InputError(
      {"", "radiation"},
      fmt::format("{} x {} x {} cells of {:.3g} mm need {:.3g} GB in {} runs at once, and this "
                  "machine has {:.3g} GB",
                  n[0], n[1], n[2], 1e3 * runs.front().discretisation.cell_size, needed * 1e-9,
                  at_once, there * 1e-9),
      "Lower \"max_frequency\", raise \"accuracy\", give a smaller \"domain\", or use fewer "
      "threads.");
}

void check_world(std::span<const ChunkRun> runs, base::RadiationPlan& plan) {
  const ChunkRun& first = runs.front();
  check_given_domain(first);
  check_speeds(first.world);
  const Solids solids(first.world);
  check_sources(first.world, solids);
  check_receivers(first.world, solids, first.receivers, plan);
  check_cells(first, plan);
  check_meshes(first, plan);
  mention_cut_bodies(first, plan);
}

}  // namespace peal::wave
