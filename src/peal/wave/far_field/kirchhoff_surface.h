#pragma once

#include <peal/wave/far_field/far_field_setup.h>
#include <peal/wave/far_field/kirchhoff_arithmetic.h>
#include <peal/wave/grid/field.h>

#include <cstddef>
#include <vector>

namespace peal::wave {

/// Up to 16 consecutive faces on one side of the Kirchhoff surface.
struct FaceGroup {
  static constexpr int capacity = 16;

  Cell first;        ///< inner cell of the first face
  int along = 0;     ///< axis from a face to the next
  int axis = 0;      ///< axis of the normal
  int outwards = 1;  ///< +1 or -1: the direction of the normal
  int count = 0;
  bool wide = true;              ///< whether two cells on both sides are air: fourth order
  double weight[capacity] = {};  ///< area in the integral [m^2]
};

/// The closed surface on which a wave field is recorded: its faces, their weights in the integral,
/// and the pressure and outward slope on them.
///
/// Across a face, from the two cells on each side (i2, i1 | o1, o2):
///     p     = (9 (i1 + o1) - (i2 + o2)) / 16
///     dp/dn = (27 (o1 - i1) - (o2 - i2)) / (24 h)
/// and (i1 + o1) / 2, (o1 - i1) / h where a body is nearer than two cells. The quadrature along a
/// side is the midpoint rule with the weights 13/12, 7/8, 25/24 for the three outermost faces,
/// which is of fourth order.
class KirchhoffSurface {
 public:
  explicit KirchhoffSurface(const FarFieldSetup& setup);

  const std::vector<FaceGroup>& groups() const { return groups_; }
  std::size_t faces() const { return faces_; }
  /// Values per recorded step: a whole group for each, so that groups start on cache lines.
  std::size_t slots() const { return groups_.size() * FaceGroup::capacity; }

  Vec3 face_centre(const FaceGroup& group, int index) const;
  SoundingFace sounding_face(const FaceGroup& group, int index) const;
  Vec3 centre() const { return 0.5 * (low_ + high_); }
  double distance(const Vec3& x) const;  ///< to the surface [m]; 0 inside
  double farthest(const Vec3& x) const;  ///< to its farthest corner [m]
  /// Distance from the centre to the surface along a unit vector [m].
  double exit_distance(const Vec3& direction) const;

  /// The weight of the pressure that is read from the grid at x, 1 or 0 except near the surface.
  /// There the integral fails, by 13 % half a cell away and by half a per cent at one cell.
  double grid_share(const Vec3& x) const;

  /// Reads for each group its pressures p and then its slopes q = dp/dn: 2 slots() values.
  template <class Real>
  void read(const Field<Real>& field, Real* out) const;

 private:
  void add_side(const FarFieldSetup& setup, int axis, int side);
  bool is_wide(const FarFieldSetup& setup, const Cell& inside, int axis, int outwards) const;

  Grid grid_;
  Vec3 low_, high_;  ///< corners of the surface [m]
  std::vector<FaceGroup> groups_;
  std::size_t faces_ = 0;
};

}  // namespace peal::wave
