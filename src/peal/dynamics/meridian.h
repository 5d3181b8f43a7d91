#pragma once

#include <peal/geometry/mesh/polygon.h>

#include <vector>

namespace peal::dynamics {

using geometry::Vec2;

/// The outline of a half section, (distance from the axis, height), as the smooth curve that its
/// corners approximate: sides that meet at less than 30 degrees become a chain of arcs without
/// corners; at sharper corners the solid has an edge with a fillet.
///
/// The curve is stored as the core, inside by the fillet radius; the surface is at that distance
/// around it.
class Meridian {
 public:
  /// A ball that touches a convex part of the surface from inside: the fillet of an edge, or the
  /// ball of an arc's circle, which may stick out of the solid beyond the ends of the arc.
  struct Bulge {
    Vec2 centre = Vec2::Zero();  ///< [m]; left of the axis on staves of a barrel
    double radius = 0.0;         ///< [m]
    bool is_arc = false;
  };

  /// Takes corners in either orientation. Throws std::invalid_argument if the fillet does not fit.
  Meridian(geometry::Polygon section, double fillet);

  /// Signed distance from the surface, negative inside [m]; `normal` becomes its gradient.
  double distance(const Vec2& p, Vec2& normal) const;

  /// Point where a line from p meets a segment of the surface at a right angle from outside.
  struct Foot {
    double distance;  ///< [m]
    Vec2 normal;
    int segment;
  };
  /// Adds all feet that are at most `within` [m] away.
  void find_feet(const Vec2& p, double within, std::vector<Foot>& feet) const;

  const std::vector<Bulge>& bulges() const { return bulges_; }
  bool is_convex() const { return is_convex_; }
  double lowest() const { return lowest_; }      ///< least height of the surface [m]
  double highest() const { return highest_; }    ///< greatest height [m]
  double widest() const { return widest_; }      ///< largest distance from the axis [m]
  double farthest() const { return farthest_; }  ///< largest distance from the origin [m]

 private:
  /// A segment of the core, with the solid to its left: straight, or an arc of less than 180
  /// degrees.
  struct ProfileSegment {
    Vec2 from = Vec2::Zero(), to = Vec2::Zero();  ///< [m]
    Vec2 along = Vec2::UnitX();                   ///< to - from [m]
    double scale = 1.0;                           ///< 1 / along^2 [1/m^2]
    Vec2 out = Vec2::UnitX();                     ///< outward unit normal of a straight segment
    Vec2 centre = Vec2::Zero();                   ///< centre of an arc [m]
    double radius = 0.0;                          ///< radius of an arc [m]; 0: straight
    double sense = 1.0;                           ///< -1: a concave arc
    double sign_from = 1.0, sign_to = 1.0;  ///< side of the surface that its ends are nearest to

    bool covers(const Vec2& off) const;  ///< whether the arc lies in this direction of its centre
    Vec2 start() const;                  ///< unit tangent at its ends
    Vec2 end() const;
  };

  void make_triangles(const geometry::Polygon& section);
  void add_arcs(const Vec2& a, const Vec2& ta, const Vec2& b, const Vec2& tb);
  void merge_arcs();
  void move_inward();
  void find_edges();
  void measure();

  std::vector<ProfileSegment> segments_;  ///< in order; gaps are at the axis
  std::vector<Bulge> bulges_;
  double fillet_;                  ///< [m]
  bool is_convex_ = true;          ///< whether the solid is convex
  bool is_convex_section_ = true;  ///< whether the section is; that of a ring may be
  double lowest_ = 0.0, highest_ = 0.0, widest_ = 0.0, farthest_ = 0.0;
};

}  // namespace peal::dynamics
