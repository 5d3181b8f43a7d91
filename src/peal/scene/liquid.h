#pragma once

#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace peal::scene {

using geometry::Vec2;
using geometry::Vec3;

/// A drop that falls into a liquid.
struct LiquidDrop {
  double time = 0.0;       ///< of its impact [s]
  Vec2 at = Vec2::Zero();  ///< x, z in the object's frame [m]
  double diameter = 0.0;   ///< [m]
  double speed = 0.0;      ///< of its impact [m/s]

  /// Radius of the hemisphere whose potential energy is the kinetic energy of the drop,
  /// R^4 = D^3 v^2 / (3 g), the size of its crater without surface tension [m].
  double crater_radius() const;
  /// From the impact to the time at which the crater closes, if it does, and its bubble begins [s].
  double closing_time() const;
  /// Height of the surface over rest by its crater, at a distance s [m] and time t [s]: a Mexican
  /// hat, which keeps the volume. It opens to 0.62 of crater_radius(), stays open until
  /// closing_time(), and then swings back and dies out.
  double height(double s, double t) const;
  bool moves_surface(double t) const;
};

/// A jet from a nozzle above the middle of a liquid, which it fills. It falls freely.
struct LiquidJet {
  double begin = 0.0, end = 0.0;  ///< in which liquid leaves the nozzle [s]
  double nozzle_radius = 0.0;     ///< [m]
  double nozzle_height = 0.0;     ///< y in the object's frame [m]
  double nozzle_speed = 0.0;      ///< [m/s]

  double flow() const;                    ///< [m^3/s]
  double speed_at(double height) const;   ///< [m/s]
  double radius_at(double height) const;  ///< [m]
  /// Time from the nozzle to a height [s].
  double fall_time(double height) const;
};

/// A liquid in a container that is round about the Y axis.
struct LiquidBody {
  /// Inside of the container: (r, y) from the axis at its bottom to its rim [m].
  std::vector<Vec2> container;
  double level = 0.0;  ///< y of the surface at the start [m]
  /// How far the mesh of the liquid reaches into the wall, so that no air is between them [m].
  double overlap = 0.001;
  double edge_length = 0.002;     ///< of the triangles of the surface [m]
  std::vector<LiquidDrop> drops;  ///< ascending times
  std::optional<LiquidJet> jet;

  double radius_at(double height) const;               ///< of the inside [m]
  double volume_below(double height) const;            ///< [m^3]
  double rim() const { return container.back().y(); }  ///< [m]
  /// Level at rest [m]: it rises while the jet arrives, at most to the rim.
  double level_at(double t) const;
  /// Height over the level by all craters at (x, z) [m].
  double height_of_craters(const Vec2& at, double t) const;
  bool has_craters(double t) const;
  /// Times between which the jet is in the liquid [s]; equal if there is none.
  double jet_arrives() const;
  double jet_ends() const;
};

/// The surface of a liquid in rings around the axis: along the wall, over the surface and, with its
/// jet, up to the nozzle. The triangles are the same at any time.
class LiquidShape {
 public:
  LiquidShape(const LiquidBody& liquid, bool with_jet);

  std::vector<geometry::Triangle> triangles() const;
  std::size_t vertex_count() const { return 2 + rings() * around_; }
  void vertices(double t, std::span<Vec3> out) const;

 private:
  std::size_t rings() const { return wall_rings_ + top_rings_ + jet_rings_; }
  std::vector<Vec2> profile(double t) const;

  const LiquidBody* liquid_;
  std::size_t around_, wall_rings_, top_rings_, jet_rings_;
};

/// The mesh of a liquid, with or without its jet, at t [s].
geometry::TriMesh liquid_mesh(const LiquidBody& liquid, bool with_jet, double t);

}  // namespace peal::scene
