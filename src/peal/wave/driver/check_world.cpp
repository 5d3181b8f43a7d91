#include <peal/base/motion_survey.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/util/error.h>
#include <peal/util/machine_memory.h>
#include <peal/util/parallel.h>
#include <peal/wave/boundary/body_surface.h>
#include <peal/wave/boundary/rasteriser.h>
#include <peal/wave/driver/check_world.h>
#include <peal/wave/far_field/mirror_planes.h>
#include <peal/wave/grid/field_layout.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace peal::wave {

namespace {

using base::World;

constexpr double look = 0.01;  ///< interval at which moving things are checked [s]

std::string object_place(const std::string& name) {
  return "object \"" + name + '"';
}

/// A point that must be in air.
struct AirPoint {
  const base::Motion* motion;
  Vec3 offset;

  Vec3 index(double t) const { return motion->pose(t).to_world(offset); }
};

/// The time at which a moving point is first inside a solid.
struct Trap {
  const base::Body* body = nullptr;  ///< null if it never is
  double time = 0.0;                 ///< [s]
  bool for_ever = true;              ///< whether it is inside at every check
};

/// The solids of a world, for inside tests.
class Solids {
 public:
  explicit Solids(const World& world) : world_(world) {
    shapes_.reserve(world.bodies.size());
    for (const base::Body& body : world.bodies) {
      if (body.is_sheet) continue;
      shapes_.emplace_back(body, base::MotionSegment{});
      surfaces_.emplace_back(shapes_.back());
    }
  }

  std::vector<Trap> find_traps(std::span<const AirPoint> points) {
    const bool still =
        std::ranges::all_of(shapes_, &BodyShape::is_still) &&
        std::ranges::all_of(points, [](const AirPoint& p) { return p.motion->is_still(); });
    const double duration = world_.rate.seconds(world_.samples);
    const int looks = still ? 0 : static_cast<int>(std::ceil(duration / look));
    std::vector<Trap> traps(points.size());
    for (int i = 0; i <= looks; ++i) {
      look_at(points, looks == 0 ? 0.0 : duration * i / looks, traps);
    }
    return traps;
  }

 private:
  void look_at(std::span<const AirPoint> points, double t, std::vector<Trap>& traps) {
    std::vector<bool> inside(points.size(), false);
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      const geometry::Box bounds = shapes_[s].bounds(t);
      bool is_set = false;  // setting the time is slow for deforming bodies
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 x = points[i].index(t);
        if (inside[i] || !bounds.contains(x)) continue;
        if (!is_set) surfaces_[s].set_time(t);
        is_set = true;
        inside[i] = surfaces_[s].contains(x);
        if (inside[i] && !traps[i].body) traps[i].body = &shapes_[s].body(), traps[i].time = t;
      }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      traps[i].for_ever = traps[i].for_ever && inside[i];
    }
  }

  const World& world_;
  std::vector<BodyShape> shapes_;
  std::vector<BodySurface> surfaces_;
};

void check_sources(const World& world, Solids& solids) {
  std::vector<AirPoint> points;
  for (const base::PointSource& source : world.sources) {
    points.push_back({source.motion.get(), source.offset});
  }
  const std::vector<Trap> traps = solids.find_traps(points);
  for (std::size_t i = 0; i < traps.size(); ++i) {
    if (!traps[i].body) continue;
    throw util::InputError(
        {"", object_place(world.sources[i].name)},
        fmt::format("its point source is inside the solid \"{}\" at {:.3g} s", traps[i].body->name,
                    traps[i].time),
        "Move it out with \"offset\", or make the surface sound with a \"speaker\".");
  }
}

void check_receivers(Solids& solids, std::span<const base::Receiver> receivers,
                     base::RadiationPlan& plan) {
  std::vector<AirPoint> points;
  for (const base::Receiver& receiver : receivers) {
    points.push_back({receiver.motion.get(), receiver.offset});
  }
  const std::vector<Trap> traps = solids.find_traps(points);
  for (std::size_t i = 0; i < traps.size(); ++i) {
    if (!traps[i].body) continue;
    if (traps[i].for_ever) {
      throw util::InputError({"", "listener " + receivers[i].name},
                             fmt::format("is inside the solid \"{}\"", traps[i].body->name),
                             "Move the listener into the air.");
    }
    plan.notices.push_back(fmt::format(
        "{} is inside the solid \"{}\" at {:.3g} s; what it receives there is meaningless",
        receivers[i].name, traps[i].body->name, traps[i].time));
  }
}

/// The scheme of moving walls has no convective terms. Spheres, boxes and thin plates of 6 cells in
/// radius were stable to Mach 0.5, spheres of 15 cells to Mach 0.4.
constexpr double largest_wall_mach = 0.4;

void refuse_fast_wall(const std::string& name, double speed, double t, const World& world) {
  const double limit = largest_wall_mach * world.medium.speed_of_sound;
  if (speed <= limit) return;
  throw util::InputError(
      {"", name},
      fmt::format(
          "moves at {:.0f} m/s at t = {:.4g} s; \"wave\" is stable around surfaces that move "
          "at up to {:.0f} m/s",
          speed, t, limit),
      "Slow the motion down, check its units and times, use STEP keys for a jump, or choose the "
      "radiation model \"rays\" or \"direct\".");
}

void check_speeds(const World& world, std::span<const base::Receiver> receivers) {
  const base::MotionSurvey survey(world);
  for (const base::Receiver& receiver : receivers) {
    survey.check_speed("listener " + receiver.name, *receiver.motion, receiver.offset);
  }
  for (const base::PointSource& source : world.sources) {
    survey.check_speed(object_place(source.name), *source.motion, source.offset);
  }
  for (const base::Body& body : world.bodies) {
    const BodyShape shape(body, {});
    if (shape.is_still()) continue;
    double before = 0.0;
    for (const double t : survey.times(*body.motion)) {
      if (t > before && !base::jumps_between(*body.motion, before, t)) {
        const double speed = shape.displacement(before, t) / (t - before);
        refuse_fast_wall(object_place(body.name), speed, t, world);
      }
      before = t;
    }
  }
}

/// Whether a wave of the highest frequency can resolve the facets of a curved surface.
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
    // Angles of 15 to 60 degrees count: larger ones are meant as edges, smaller ones hardly
    // scatter.
    if (narrow > wavelength / 4.0 && cosine < 0.966 && cosine > 0.5) bent += length;
  }
  return bent > 0.2 * all;
}

void check_meshes(const ChunkRun& run, base::RadiationPlan& plan) {
  const double wavelength = run.world.medium.speed_of_sound / run.settings.max_frequency;
  for (const base::Body& body : run.world.bodies) {
    if (body.mesh.triangles.size() > 200000 || !looks_coarse(body.mesh, wavelength)) continue;
    plan.notices.push_back(fmt::format(
        "the mesh of \"{}\" is coarse: facets longer than a quarter of the shortest wavelength "
        "({:.3g} mm) meet at 15 degrees and more and are audible. Use a finer mesh",
        body.name, 1e3 * wavelength));
  }
}

void check_cells(const ChunkRun& run, base::RadiationPlan& plan) {
  constexpr double fewest = 4.0;
  const double cells = run.discretisation.cells_per_wavelength;
  if (cells >= fewest) return;
  plan.notices.push_back(
      fmt::format("{:.2g} cells in the shortest wavelength are too few: levels near {:g} Hz are "
                  "unreliable. A smaller \"cell_size\" or \"max_frequency\" helps",
                  cells, run.settings.max_frequency));
}

/// Checks that all sources stay in a given domain, and reports other bodies that leave it.
void check_given_domain(const ChunkRun& run, base::RadiationPlan& plan) {
  if (!run.settings.domain) return;
  const geometry::Box& box = *run.settings.domain;
  const double duration = run.world.rate.seconds(run.world.samples);
  /// The first check at which something is outside [s].
  const auto first_outside = [&](bool still, const auto& is_inside) -> std::optional<double> {
    const int looks = still ? 0 : static_cast<int>(std::ceil(duration / look));
    for (int i = 0; i <= looks; ++i) {
      const double t = looks == 0 ? 0.0 : duration * i / looks;
      if (!is_inside(t)) return t;
    }
    return std::nullopt;
  };
  const auto refuse = [](const std::string& who, double t) {
    throw util::InputError({"", "radiation.domain"}, fmt::format("{} at {:.3g} s", who, t),
                           "Give a larger domain, or leave it out: Peal finds one.");
  };
  for (const base::Body& body : run.world.bodies) {
    const BodyShape shape(body, {});
    const auto time =
        first_outside(shape.is_still(), [&](double t) { return box.contains(shape.bounds(t)); });
    if (!time) continue;
    if (!body.sources.empty()) {
      refuse(fmt::format("\"{}\", which makes sound, is partly outside", body.name), *time);
    }
    if (shape.is_still()) continue;  // mention_cut_bodies reports these
    plan.notices.push_back(fmt::format(
        "\"{}\" is partly outside the \"domain\" at {:.3g} s: the part outside does not reflect",
        body.name, *time));
  }
  for (const base::PointSource& source : run.world.sources) {
    const auto time = first_outside(source.motion->is_still(), [&](double t) {
      return box.contains(source.motion->pose(t).to_world(source.offset));
    });
    if (time) refuse(fmt::format("the point source of \"{}\" is outside", source.name), *time);
  }
}

/// Checks that there is room for the radial expansion, which reads the field between the sphere
/// around everything and the Kirchhoff surface.
void check_room_to_expand(const ChunkRun& run) {
  if (!run.settings.domain || run.settings.far_field != base::WaveSettings::FarField::expansion) {
    return;
  }
  const double start = expansion_start(run.domain);
  const double room = 0.5 * listening_bounds(run.domain).sizes().minCoeff();
  if (start + run.domain.grid.cell_size <= room) return;
  throw util::InputError(
      {"", "radiation.domain"},
      fmt::format(
          "is too small for the radial expansion: everything must lie in a sphere around its "
          "middle, which has {:.3g} m here, and {:.3g} m fit",
          start, room),
      "Give a larger domain, or leave it out, or choose \"far_field\": \"kirchhoff\".");
}

/// The total duration of the segments from 0 to `duration`, and the time at which the first gap
/// between them begins [s].
struct Audible {
  double seconds = 0.0;
  double first_gap = 0.0;
};

Audible audible_time(std::span<const base::MotionSegment> segments, double duration) {
  Audible audible;
  for (const base::MotionSegment& segment : segments) {
    const double begin = std::max(segment.begin, 0.0), end = std::min(segment.end, duration);
    if (begin <= audible.first_gap) audible.first_gap = std::max(audible.first_gap, end);
    audible.seconds += std::max(0.0, end - begin);
  }
  return audible;
}

void mention_silence_behind(const ChunkRun& run, const MirrorPlanes& mirrors,
                            base::RadiationPlan& plan) {
  std::vector<std::string> names;
  for (const std::size_t number : mirrors.bodies) {
    names.push_back('"' + run.world.bodies[number].name + '"');
  }
  const double duration = run.world.rate.seconds(run.world.samples);
  for (const base::Receiver& receiver : run.receivers) {
    const std::vector<base::MotionSegment> segments =
        segments_in_front(receiver, mirrors.planes, run.domain.grid.cell_size, 0.0, duration);
    const Audible audible = audible_time(segments, duration);
    if (audible.seconds >= duration * (1.0 - 1e-9)) continue;
    const std::string when =
        segments.empty() ? ""
                         : fmt::format(" for {:.3g} of {:.3g} s, from {:.3g} s on,",
                                       duration - audible.seconds, duration, audible.first_gap);
    plan.notices.push_back(fmt::format(
        "{} is{} behind a floor or wall that is treated as infinite{} and receives nothing there. "
        "Move it to the front, or set a \"domain\" in \"radiation\" that contains the whole body",
        receiver.name, when, names.empty() ? "" : fmt::format(" ({})", fmt::join(names, ", "))));
  }
}

void mention_cut_bodies(const ChunkRun& run, base::RadiationPlan& plan) {
  if (run.domain.crossing.empty()) return;
  Rasteriser rasteriser(run.world, run.domain.grid, run.chunk.segment);
  const MirrorPlanes mirrors =
      find_mirror_planes(run.world, rasteriser.at(run.chunk.begin), run.domain);
  mention_silence_behind(run, mirrors, plan);
  for (const std::size_t number : run.domain.crossing) {
    const std::string& name = run.world.bodies[number].name;
    const bool mirrored = std::ranges::find(mirrors.bodies, number) != mirrors.bodies.end();
    plan.notices.push_back(
        mirrored
            ? fmt::format("\"{}\" reaches beyond the domain and counts as an endless plane there",
                          name)
            : fmt::format("\"{}\" extends beyond the domain: the part outside does not reflect. "
                          "Set a larger \"domain\" in \"radiation\"",
                          name));
  }
}

}  // namespace

void check_memory(std::span<const ChunkRun> runs) {
  const ChunkRun* largest = &runs.front();
  for (const ChunkRun& run : runs) {
    check_size(run.domain.grid);
    if (field_bytes(run) > field_bytes(*largest)) largest = &run;
  }
  const auto at_once = static_cast<double>(
      std::min<std::size_t>(runs.size(), static_cast<std::size_t>(util::thread_count())));
  const double needed = field_bytes(*largest) * at_once, there = util::machine_memory();
  if (needed <= util::memory_share * there) return;
  const Cell& n = largest->domain.grid.size;
  throw util::InputError(
      {"", "radiation"},
      fmt::format(
          "{} x {} x {} cells of {:.3g} mm need {:.3g} GB{}, and this machine has {:.3g} GB", n[0],
          n[1], n[2], 1e3 * largest->discretisation.cell_size, needed * 1e-9,
          at_once > 1 ? fmt::format(" with {:g} runs at a time", at_once)
                      : " even with one run at a time",
          there * 1e-9),
      "Lower \"max_frequency\", raise \"accuracy\", give a smaller \"domain\", or use fewer "
      "threads.");
}

void check_world(std::span<const ChunkRun> runs, base::RadiationPlan& plan) {
  const ChunkRun& first = runs.front();
  check_speeds(first.world, first.receivers);
  check_given_domain(first, plan);
  check_room_to_expand(first);
  Solids solids(first.world);
  check_sources(first.world, solids);
  check_receivers(solids, first.receivers, plan);
  check_cells(first, plan);
  check_meshes(first, plan);
  mention_cut_bodies(first, plan);
}

}  // namespace peal::wave
