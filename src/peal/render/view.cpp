#include <peal/plot/scene_picture.h>
#include <peal/render/numbered_files.h>
#include <peal/render/view.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace peal::render {

namespace {

constexpr double most_pictures = 20000;
/// Static objects are shown whole if they are no larger than this many times the region of moving
/// objects.
constexpr double rasteriser_size = 2.5;

std::size_t picture_count(double duration, double rate) {
  return static_cast<std::size_t>(std::ceil(duration * rate * (1.0 - 1e-12)));
}

bool is_moving(const MovingMesh& body) {
  return body.deformation || body.sequence || !body.motion->is_still();
}

/// The mesh whose triangles are seen then.
std::shared_ptr<const geometry::TriMesh> mesh_at(const MovingMesh& body, double t) {
  return body.sequence ? body.sequence->mesh(body.sequence->number_at(t)) : body.mesh;
}

/// Vertices in the world.
std::vector<geometry::Vec3> positions_at(const MovingMesh& body, double t) {
  std::vector<geometry::Vec3> positions = mesh_at(body, t)->vertices;
  if (body.deformation) body.deformation->vertices(t, positions);
  if (body.sequence) body.sequence->vertices(body.sequence->number_at(t), t, positions);
  const base::Pose pose = body.motion->pose(t);
  for (geometry::Vec3& position : positions) position = pose.to_world(position);
  return positions;
}

geometry::Box room_at(const MovingMesh& body, double t) {
  geometry::Box box;
  for (const geometry::Vec3& position : positions_at(body, t)) box.extend(position);
  return box;
}

geometry::Box room_of(const View& view) {
  geometry::Box room;
  for (const MovingMesh& body : view.meshes) {
    if (!is_moving(body)) continue;
    for (std::size_t i = 0; i < view.frames; ++i)
      room.extend(room_at(body, static_cast<double>(i) / view.rate));
  }
  const double size = room.isEmpty() ? 0.0 : room.diagonal().norm();
  for (const MovingMesh& body : view.meshes) {
    if (is_moving(body)) continue;
    const geometry::Box rasteriser = room_at(body, 0.0);
    if (size == 0.0 || rasteriser.diagonal().norm() <= rasteriser_size * size)
      room.extend(rasteriser);
  }
  return room;
}

/// Scenery is grey; what moves has the colours of curves, made light.
plot::Colour colour_of(const MovingMesh& body, std::size_t number) {
  if (!is_moving(body)) return {0.80, 0.80, 0.81};
  const plot::Colour own = plot::series_colour(number);
  const auto light = [](double x) { return 0.35 + 0.65 * x; };
  return {light(own.red), light(own.green), light(own.blue)};
}

std::string picture_of(const View& view, std::size_t frame, const std::string& title) {
  const double t = static_cast<double>(frame) / view.rate;
  plot::ScenePicture picture{
      .room = view.room, .heading = fmt::format("{:.3f} s", t), .subheading = title};
  std::size_t number = 0;
  for (const MovingMesh& body : view.meshes) {
    if (!body.exists || body.exists->contains(t))
      picture.bodies.push_back({mesh_at(body, t), positions_at(body, t), colour_of(body, number)});
    number += is_moving(body) ? 1 : 0;
  }
  return plot::draw_scene(picture);
}

}  // namespace

void check_view(const scene::Scene& scene, double rate) {
  if (static_cast<double>(picture_count(scene.duration, rate)) > most_pictures) {
    throw util::InputError(
        {"", "--view-rate"},
        fmt::format("{:g} pictures a second would be more than {:g}", rate, most_pictures),
        fmt::format("Choose at most {:.3g}.", most_pictures / scene.duration));
  }
  const bool has_meshes = std::ranges::any_of(scene.objects, [](const scene::Object& object) {
    return object.mesh && !object.mesh->empty();
  });
  if (!has_meshes) {
    throw util::InputError({"", "--view-rate"}, "no object has a shape that could be drawn",
                           "Give one a \"mesh\" or a \"shape\", or leave out --view-rate.");
  }
}

View make_view(std::vector<MovingMesh> meshes, double duration, double rate) {
  std::erase_if(meshes, [](const MovingMesh& body) { return !body.mesh || body.mesh->empty(); });
  View view{.rate = rate, .frames = picture_count(duration, rate), .meshes = std::move(meshes)};
  view.room = room_of(view);
  return view;
}

void write_view(const std::filesystem::path& folder, const View& view, const std::string& title,
                util::Progress& progress) {
  std::mutex mutex;
  double done = 0.0;
  progress.begin("draw pictures", 0.0);
  util::parallel_for(static_cast<std::int64_t>(view.frames), [&](std::int64_t frame) {
    const auto i = static_cast<std::size_t>(frame);
    util::write_file(folder / view_name / movie_frames().name(i), picture_of(view, i, title));
    const std::lock_guard lock(mutex);
    done += 1.0;
    progress.update(done / static_cast<double>(view.frames));
  });
  progress.end();
}

void remove_view(const std::filesystem::path& folder) {
  movie_frames().remove_from(folder / view_name);
}

}  // namespace peal::render
