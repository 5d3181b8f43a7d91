#include <peal/dynamics/changing_mesh_sequence.h>
#include <peal/geometry/mesh/surface_match.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/util/fingerprint.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace peal::dynamics {

namespace {

using geometry::MeshProblemKind;
using geometry::TriMesh;

/// Legs that each thread needs at a time: those of a key, of the next key and of a look-ahead.
constexpr std::size_t legs_per_thread = 4;

/// Least area of a surface over that of the first frame.
constexpr double vanished_area = 1e-9;

/// The entry of a list with that number, as the one used last; null if there is none.
template <class Value>
Value* used(std::list<std::pair<std::size_t, Value>>& list, std::size_t number) {
  const auto known = std::ranges::find_if(list, [&](const auto& e) { return e.first == number; });
  if (known == list.end()) return nullptr;
  list.splice(list.begin(), list, known);
  return &list.front().second;
}

template <class Value>
void serialize(std::list<std::pair<std::size_t, Value>>& list, std::size_t number, Value value,
               std::size_t most) {
  if (used(list, number) != nullptr) return;
  list.emplace_front(number, std::move(value));
  if (list.size() > most) list.pop_back();
}

std::string topology_print(const TriMesh& mesh) {
  util::Fingerprint fingerprint;
  fingerprint.add(mesh.vertices.size());
  for (const geometry::Triangle& t : mesh.triangles)
    fingerprint.add(std::span<const std::uint32_t>(t.data(), 3));
  return fingerprint.hex();
}

TriMesh loaded(const scene::MeshSequence& sequence, std::size_t frame,
               const MeshSequenceDeformation::Loader& load) {
  return geometry::transformed(load(sequence.files[frame]), geometry::Affine(sequence.transform));
}

/// Does something for each of some numbers on all threads; of all errors the first one is thrown.
template <class Task>
void for_each_in_order(std::size_t count, const Task& task) {
  std::vector<std::exception_ptr> errors(count);
  util::parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    const auto number = static_cast<std::size_t>(i);
    try {
      task(number);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

/// The error for a mesh that is a sheet where the first one is a solid, or the reverse.
util::InputError not_alike(const std::filesystem::path& file, bool first_is_sheet,
                           const std::vector<geometry::MeshHole>& holes) {
  if (first_is_sheet) {
    return {{file.string(), ""},
            "the surface is closed in this frame, but open in the first one",
            "The surface must be open in all frames or closed in all frames."};
  }
  const base::Vec3& centre = holes.front().centre;
  return {
      {file.string(), ""},
      fmt::format("the surface has {} hole{} in this frame, the largest near ({:.3g}, {:.3g}, "
                  "{:.3g}) m, but none in the first one",
                  holes.size(), holes.size() == 1 ? "" : "s", centre.x(), centre.y(), centre.z()),
      "Close the surface in this frame: peal inspect FILE says where its holes are. A surface "
      "that is open on purpose must be so in all frames."};
}

}  // namespace

std::vector<std::size_t> frames_with_other_triangles(const scene::MeshSequence& sequence,
                                                     const MeshSequenceDeformation::Loader& load) {
  std::vector<std::string> prints(sequence.files.size());
  for_each_in_order(prints.size(), [&](std::size_t frame) {
    const TriMesh mesh = load(sequence.files[frame]);
    if (mesh.triangles.empty()) {
      throw util::InputError({sequence.files[frame].string(), ""},
                             fmt::format("frame {} has no triangles", frame),
                             "Give every frame a surface. For an object that appears or "
                             "disappears, leave out the empty frames and set \"exists\".");
    }
    prints[frame] = topology_print(mesh);
  });
  std::vector<std::size_t> changed;
  for (std::size_t frame = 1; frame < prints.size(); ++frame) {
    if (prints[frame] != prints[frame - 1]) changed.push_back(frame);
  }
  return changed;
}

ChangingMeshSequence::ChangingMeshSequence(scene::MeshSequence sequence,
                                           const std::vector<std::size_t>& changed, Loader load)
    : sequence_(std::move(sequence)),
      load_(std::move(load)),
      first_frames_{0},
      kept_(legs_per_thread * static_cast<std::size_t>(util::thread_count())) {
  for (const std::size_t frame : changed) {
    first_frames_.push_back(frame);
    changes_.push_back(0.5 * (sequence_.times[frame - 1] + sequence_.times[frame]));
  }
  check_surfaces();
}

/// Checks one frame of each mesh: the others have the same triangles.
void ChangingMeshSequence::check_surfaces() {
  std::vector<std::vector<geometry::MeshHole>> holes(size());
  std::vector<double> areas(size());
  std::vector<char> is_open(size());
  for_each_in_order(size(), [&](std::size_t number) {
    const Mesh surface = read(first_frames_[number]);
    const geometry::MeshReport report =
        geometry::check_mesh(*surface, {.self_intersections = false});
    areas[number] = geometry::surface_area(*surface);
    is_open[number] = geometry::is_open_surface(report, *surface) ? 1 : 0;
    holes[number] = report.holes;
  });
  is_sheet_ = is_open[0] != 0;
  for (std::size_t number = 0; number < size(); ++number) {
    const std::filesystem::path& file = sequence_.files[first_frames_[number]];
    if (!(areas[number] > vanished_area * areas[0])) {
      throw util::InputError(
          {file.string(), ""},
          fmt::format("the surface vanishes in this frame: its area is {:.3g} m^2", areas[number]),
          "Leave out these frames and set \"exists\".");
    }
    const bool is_alike =
        is_sheet_ ? is_open[number] != 0 : holes[number].empty() || !holes[0].empty();
    if (!is_alike && !mixed_) mixed_ = not_alike(file, is_sheet_, holes[number]);
  }
}

bool ChangingMeshSequence::is_sheet() const {
  if (mixed_) throw *mixed_;
  return is_sheet_;
}

ChangingMeshSequence::Mesh ChangingMeshSequence::read(std::size_t frame) const {
  TriMesh mesh = loaded(sequence_, frame, load_);
  if (!begins_mesh(frame)) return std::make_shared<const TriMesh>(std::move(mesh));
  const geometry::MeshReport report = geometry::check_mesh(mesh, {.self_intersections = false});
  if (report.find(MeshProblemKind::flipped_face)) {
    mesh = geometry::orient_consistently(std::move(mesh));
  } else if (report.find(MeshProblemKind::inside_out)) {
    for (geometry::Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  }
  return std::make_shared<const TriMesh>(std::move(mesh));
}

bool ChangingMeshSequence::begins_mesh(std::size_t frame) const {
  return std::ranges::binary_search(first_frames_, frame);
}

ChangingMeshSequence::Mesh ChangingMeshSequence::mesh(std::size_t number) const {
  {
    const std::lock_guard lock(mutex_);
    if (const Mesh* known = used(meshes_, number)) return *known;
  }
  Mesh found = read(first_frames_[number]);
  const std::lock_guard lock(mutex_);
  serialize(meshes_, number, found, kept_);
  return found;
}

std::shared_ptr<const ChangingMeshSequence::Leg> ChangingMeshSequence::make_leg(std::size_t frame,
                                                                                Mesh from,
                                                                                Mesh to) const {
  auto made = std::make_shared<Leg>();
  made->from = from ? std::move(from) : read(frame);
  made->to = to ? std::move(to) : read(frame + 1);
  if (begins_mesh(frame + 1)) {
    const geometry::SurfaceQuery earlier(*made->from), later(*made->to);
    made->onward = geometry::displacements_onto(earlier, later);
    made->back = geometry::displacements_onto(later, earlier);
  }
  return made;
}

std::shared_ptr<const ChangingMeshSequence::Leg> ChangingMeshSequence::leg(
    std::size_t frame) const {
  Mesh from, to;
  {
    const std::lock_guard lock(mutex_);
    if (const auto* known = used(legs_, frame)) return *known;
    for (const auto& [other, neighbour] : legs_) {
      if (other + 1 == frame) from = neighbour->to;
      if (other == frame + 1) to = neighbour->from;
    }
  }
  std::shared_ptr<const Leg> made = make_leg(frame, std::move(from), std::move(to));
  const std::lock_guard lock(mutex_);
  serialize(legs_, frame, made, kept_);
  return made;
}

void ChangingMeshSequence::vertices(std::size_t number, double t, std::span<base::Vec3> out) const {
  const std::vector<double>& times = sequence_.times;
  t = std::clamp(t, number == 0 ? times.front() : changes_[number - 1],
                 number + 1 == size() ? times.back() : changes_[number]);
  const auto after = std::upper_bound(times.begin() + 1, times.end() - 1, t);
  const auto frame = static_cast<std::size_t>(after - times.begin()) - 1;
  const std::shared_ptr<const Leg> between = leg(frame);
  const double f = (t - times[frame]) / (times[frame + 1] - times[frame]);
  const std::vector<base::Vec3>&from = between->from->vertices, &to = between->to->vertices;
  const bool is_change = begins_mesh(frame + 1);
  const bool is_earlier = frame >= first_frames_[number];
  for (std::size_t v = 0; v < out.size(); ++v) {
    if (!is_change) {
      out[v] = (1.0 - f) * from[v] + f * to[v];
    } else if (is_earlier) {
      out[v] = from[v] + f * between->onward[v];
    } else {
      out[v] = to[v] + (1.0 - f) * between->back[v];
    }
  }
}

}  // namespace peal::dynamics
