#pragma once

#include <peal/render/motion_file.h>
#include <peal/scene/scene.h>
#include <peal/util/progress.h>

#include <filesystem>
#include <string>
#include <vector>

namespace peal::render {

/// A quick look at how things move, ready to be drawn.
struct View {
  double rate = 30.0;  ///< pictures a second of the scene's time [1/s]
  std::size_t frames = 0;
  std::vector<MovingMesh> meshes;
  geometry::Box room;  ///< region of the world that all pictures show [m]
  bool has_movie = false;
};

inline constexpr const char* view_name = "view";  ///< folder of the pictures

/// Throws InputError for a rate at which there are too many pictures, or if there is nothing to
/// draw.
void check_view(const scene::Scene& scene, double rate);

/// Makes a view and finds the region that its pictures show: all moving objects wherever they go,
/// and static objects that are not much larger (floors and walls extend beyond the picture);
/// everything, if nothing moves.
View make_view(std::vector<MovingMesh> meshes, double duration, double rate);

/// Writes all pictures: view/frame-00000.png, ...
void write_view(const std::filesystem::path& folder, const View& view, const std::string& title,
                util::Progress& progress);

/// Removes the files of an earlier write_view(); other files stay.
void remove_view(const std::filesystem::path& folder);

}  // namespace peal::render
