#include <peal/dynamics/mesh_sequence.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::dynamics {

namespace {

constexpr std::size_t frames_kept = 4;  // two in use, and two for a thread that is a frame behind

}  // namespace

MeshSequenceDeformation::MeshSequenceDeformation(scene::MeshSequence sequence,
                                                 const geometry::TriMesh& first, Loader load)
    : sequence_(std::move(sequence)),
      load_(std::move(load)),
      vertex_count_(first.vertices.size()),
      triangles_(first.triangles) {
  if (sequence_.files.empty() || sequence_.files.size() != sequence_.times.size()) {
    throw util::InputError({}, fmt::format("a mesh sequence has {} files and {} times",
                                           sequence_.files.size(), sequence_.times.size()));
  }
}

void MeshSequenceDeformation::vertices(double t, std::span<base::Vec3> out) const {
  const auto& times = sequence_.times;
  const auto later = std::upper_bound(times.begin(), times.end(), t);
  const auto next = static_cast<std::size_t>(later - times.begin());
  if (next == 0 || next == times.size()) {
    const Frame still = frame(next == 0 ? 0 : next - 1);
    std::copy(still->begin(), still->end(), out.begin());
    return;
  }
  const Frame before = frame(next - 1), after = frame(next);
  const double f = (t - times[next - 1]) / (times[next] - times[next - 1]);
  for (std::size_t i = 0; i < vertex_count_; ++i) {
    out[i] = (1.0 - f) * (*before)[i] + f * (*after)[i];
  }
}

void MeshSequenceDeformation::check() const {
  for (std::size_t i = 0; i < sequence_.files.size(); ++i) read(i);
}

MeshSequenceDeformation::Frame MeshSequenceDeformation::frame(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(recent_.begin(), recent_.end(),
                                  [&](const auto& entry) { return entry.first == index; });
  if (known != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, known);
  } else {
    recent_.emplace_front(index, read(index));
    if (recent_.size() > frames_kept) recent_.pop_back();
  }
  return recent_.front().second;
}

MeshSequenceDeformation::Frame MeshSequenceDeformation::read(std::size_t index) const {
  const std::filesystem::path& file = sequence_.files[index];
  geometry::TriMesh mesh =
      geometry::transformed(load_(file), geometry::Affine(sequence_.transform));
  if (mesh.vertices.size() != vertex_count_ || mesh.triangles != triangles_) {
    throw util::InputError(
        {file.string(), ""},
        fmt::format("frame {} has {} vertices and {} triangles, the first frame {} and {}{}", index,
                    mesh.vertices.size(), mesh.triangles.size(), vertex_count_, triangles_.size(),
                    mesh.vertices.size() == vertex_count_ ? "; triangles must be the same" : ""),
        "All frames of a sequence need the same triangles in the same order.");
  }
  return std::make_shared<const std::vector<base::Vec3>>(std::move(mesh.vertices));
}

}  // namespace peal::dynamics
