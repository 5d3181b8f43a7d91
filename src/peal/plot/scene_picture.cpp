#include <peal/plot/canvas.h>
#include <peal/plot/scene_picture.h>
#include <peal/plot/surface_raster.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace peal::plot {

namespace {

constexpr int scene_width = 720, lowest_scene = 240, highest_scene = 720;  ///< of the view [px]
constexpr int scene_margin = 12, scene_head = 64;                          ///< [px]
constexpr double scene_reach = 0.04;  ///< around the room, in its diagonals
constexpr Colour scene_ink = {0.13, 0.13, 0.15}, scene_faint = {0.42, 0.42, 0.45};

std::array<geometry::Vec3, 8> corners_of(const geometry::Box& room) {
  std::array<geometry::Vec3, 8> corners;
  for (std::size_t i = 0; i < corners.size(); ++i)
    corners[i] = room.corner(static_cast<geometry::Box::CornerType>(i));
  return corners;
}

}  // namespace

std::string draw_scene(const ScenePicture& picture) {
  const auto room = corners_of(picture.room);
  const double reach = scene_reach * picture.room.diagonal().norm();
  const double wanted = scene_width * SurfaceRaster::aspect(room, reach);
  const int view = 2 * (std::clamp(static_cast<int>(wanted), lowest_scene, highest_scene) / 2);
  const int width = scene_width + 2 * scene_margin, height = view + scene_head + scene_margin;
  Canvas canvas(width, height);
  canvas.fill({0, 0}, width, height, {1, 1, 1});
  SurfaceRaster raster(room, reach, scene_width, view);
  for (const SeenBody& body : picture.bodies) raster.draw(*body.mesh, body.positions, body.colour);
  raster.put(canvas, {scene_margin, scene_head});
  canvas.text({scene_margin, 32}, picture.heading, {.size = 22, .bold = true, .colour = scene_ink});
  canvas.text({scene_margin, 52}, picture.subheading, {.size = 13, .colour = scene_faint});
  return canvas.png();
}

}  // namespace peal::plot
