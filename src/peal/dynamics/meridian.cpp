#include <peal/dynamics/meridian.h>
#include <peal/geometry/mesh/smooth_surface.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace peal::dynamics {

using geometry::Polygon;

namespace {

constexpr double no_turn_of_outline = 1e-6;  ///< [rad]
constexpr double flat_turn = 1e-3;           ///< of a corner within a side [rad]
constexpr double no_arc = 1e-5;  ///< between tangent and chord: the side is straight [rad]
/// A side so many times longer than one that goes on from it is straight: facets of one round face
/// are of similar length, a wall that ends in a rounding is longer than the facets of it.
constexpr double straight_ratio = 2.5;
constexpr double same_circle = 1e-3;  ///< distance of centres, over the radius
constexpr double on_circle = 1e-5;    ///< distance of a point, over the radius
constexpr double longest_arc = 2.5;   ///< [rad]; less than pi, see Meridian::Piece::covers()

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

Vec2 left_of(const Vec2& v) {
  return {-v.y(), v.x()};
}

/// The axis itself is no part of the outline.
bool is_axis(const Vec2& a, const Vec2& b) {
  return a.x() <= 0.0 && b.x() <= 0.0;
}

/// A side of the section and the directions of the smooth outline at its ends.
struct OutlineSide {
  Vec2 a, b;
  Vec2 along;       ///< unit length
  Vec2 start, end;  ///< unit length
  bool starts_smooth = false, ends_smooth = false;
  bool is_straight = false;
  bool is_real = true;  ///< not the axis

  double length() const { return (b - a).norm(); }
};

bool goes_on_smoothly(const OutlineSide& one, const OutlineSide& next) {
  return one.is_real && next.is_real &&
         one.along.dot(next.along) > std::cos(geometry::sharpest_bend);
}

/// Removes the corners at which the section does not turn, so that a side that a mesh divides is
/// one side.
Polygon without_flat_corners(const Polygon& section) {
  Polygon kept;
  const std::size_t n = section.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &before = kept.empty() ? section[n - 1] : kept.back(), &here = section[i];
    const Vec2 a = here - before, b = section[(i + 1) % n] - here;
    const bool is_flat = a.dot(b) > 0.0 && std::abs(cross(a, b)) < flat_turn * a.norm() * b.norm();
    if (!is_flat && a.norm() > 0.0) kept.push_back(here);
  }
  return kept;
}

std::vector<OutlineSide> sides_of(const Polygon& section) {
  std::vector<OutlineSide> sides;
  const std::size_t n = section.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &a = section[i], &b = section[(i + 1) % n];
    if (a == b) continue;
    const Vec2 along = (b - a).normalized();
    sides.push_back(
        {.a = a, .b = b, .along = along, .start = along, .end = along, .is_real = !is_axis(a, b)});
  }
  return sides;
}

void find_straight(std::vector<OutlineSide>& sides) {
  for (std::size_t i = 0; i < sides.size(); ++i) {
    // A face across the axis is flat; where the outline bends one way and then the other, it does
    // not bend between.
    OutlineSide& one = sides[i];
    const OutlineSide &before = sides[(i + sides.size() - 1) % sides.size()],
                      &after = sides[(i + 1) % sides.size()];
    const bool is_face =
        (one.a.x() <= 0.0 || one.b.x() <= 0.0) && std::abs(one.along.y()) < flat_turn;
    const bool turns_over = goes_on_smoothly(before, one) && goes_on_smoothly(one, after) &&
                            cross(before.along, one.along) * cross(one.along, after.along) < 0.0;
    if (is_face || turns_over) one.is_straight = true;
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    OutlineSide &one = sides[i], &next = sides[(i + 1) % sides.size()];
    if (!goes_on_smoothly(one, next)) continue;
    if (one.length() > straight_ratio * next.length()) one.is_straight = true;
    if (next.length() > straight_ratio * one.length()) next.is_straight = true;
  }
}

void find_tangents(std::vector<OutlineSide>& sides) {
  for (std::size_t i = 0; i < sides.size(); ++i) {
    OutlineSide &one = sides[i], &next = sides[(i + 1) % sides.size()];
    if (goes_on_smoothly(one, next) && !(one.is_straight && next.is_straight)) {
      // That of the circle through three corners: an inversion about the middle one makes it a line
      // of that direction.
      const Vec2 round = (one.along / one.length() + next.along / next.length()).normalized();
      one.end = next.start = one.is_straight ? one.along : next.is_straight ? next.along : round;
      one.ends_smooth = next.starts_smooth = true;
    }
    // Over the axis the outline goes on in its mirror image.
    const auto crosses = [](const OutlineSide& side) {
      return side.is_real && !side.is_straight &&
             std::abs(side.along.x()) > std::cos(0.5 * geometry::sharpest_bend);
    };
    const Vec2 level(one.along.x() < 0.0 ? -1.0 : 1.0, 0.0);
    if (one.b.x() <= 0.0 && crosses(one)) one.end = level, one.ends_smooth = true;
    if (one.a.x() <= 0.0 && crosses(one)) one.start = level, one.starts_smooth = true;
  }
  // A side that is smooth at one end only is one arc.
  for (OutlineSide& side : sides) {
    if (side.starts_smooth == side.ends_smooth) continue;
    (side.starts_smooth ? side.end : side.start) =
        2.0 * (side.starts_smooth ? side.start : side.end).dot(side.along) * side.along -
        (side.starts_smooth ? side.start : side.end);
  }
}

}  // namespace

bool Meridian::ProfileSegment::covers(const Vec2& off) const {
  return sense * cross(from - centre, off) >= 0.0 && sense * cross(off, to - centre) >= 0.0;
}

Vec2 Meridian::ProfileSegment::start() const {
  return radius > 0.0 ? Vec2(sense * left_of(from - centre).normalized()) : along.normalized();
}

Vec2 Meridian::ProfileSegment::end() const {
  return radius > 0.0 ? Vec2(sense * left_of(to - centre).normalized()) : along.normalized();
}

Meridian::Meridian(Polygon section, double fillet) : fillet_(fillet) {
  if (section.size() < 3 || !(fillet > 0.0))
    throw std::invalid_argument("a turned shape needs a section");
  if (geometry::signed_area(section) < 0.0) std::ranges::reverse(section);
  make_triangles(section);
  merge_arcs();
  move_inward();
  find_edges();
  measure();
}

void Meridian::make_triangles(const Polygon& section) {
  std::vector<OutlineSide> sides = sides_of(without_flat_corners(section));
  find_straight(sides);
  find_tangents(sides);
  for (const OutlineSide& side : sides) {
    if (side.is_real) add_arcs(side.a, side.start, side.b, side.end);
  }
}

/// Two arcs that meet without a corner (a biarc), from a along ta to b along tb; or a straight
/// line.
void Meridian::add_arcs(const Vec2& a, const Vec2& ta, const Vec2& b, const Vec2& tb) {
  const Vec2 chord = b - a;
  const double length = chord.norm();
  const auto straight = [](const Vec2& from, const Vec2& to) {
    return ProfileSegment{.from = from, .to = to};
  };
  const auto arc = [&](const Vec2& from, const Vec2& direction, const Vec2& to) {
    const Vec2 way = to - from;
    const double off = left_of(direction).dot(way);  // to the left: it bulges
    if (std::abs(off) < 1e-9 * length) return straight(from, to);
    const double radius = way.squaredNorm() / (2.0 * off);
    return ProfileSegment{.from = from,
                          .to = to,
                          .centre = from + radius * left_of(direction),
                          .radius = std::abs(radius),
                          .sense = radius > 0.0 ? 1.0 : -1.0};
  };
  const double bend = std::max(std::abs(cross(ta, chord)), std::abs(cross(tb, chord))) / length;
  if (bend < no_arc) {
    segments_.push_back(straight(a, b));
    return;
  }
  // The joint lies where both tangent lengths d are equal.
  const Vec2 sum = ta + tb;
  const double opening = 2.0 * (1.0 - ta.dot(tb)), along = chord.dot(sum);
  const double d = opening > 1e-12
                       ? (-along + std::sqrt(along * along + opening * length * length)) / opening
                       : length * length / (2.0 * along);
  const Vec2 joint = 0.5 * (a + b + d * (ta - tb));
  const ProfileSegment first = arc(a, ta, joint);
  ProfileSegment last = arc(b, -tb, joint);  // from its end, so that it arrives along tb
  std::swap(last.from, last.to);
  last.sense = -last.sense;
  const auto fits = [&](const ProfileSegment& segment) {
    return segment.radius == 0.0 || segment.sense < 0.0 || segment.radius > 1.5 * fillet_;
  };
  if (!fits(first) || !fits(last)) {
    segments_.push_back(straight(a, b));
    return;
  }
  segments_.push_back(first);
  segments_.push_back(last);
}

/// Merges arcs of one circle.
void Meridian::merge_arcs() {
  std::vector<ProfileSegment> merged;
  std::vector<Vec2> joints;  // within the last of them
  for (const ProfileSegment& next : segments_) {
    bool is_same = false;
    ProfileSegment both = next;
    if (!merged.empty()) {
      const ProfileSegment& last = merged.back();
      if (last.radius > 0.0 && next.radius > 0.0 && last.sense == next.sense &&
          last.to == next.from && (last.centre - next.centre).norm() < same_circle * last.radius) {
        // The circle through its ends and the joint between.
        const Vec2 u = next.from - last.from, v = next.to - last.from;
        const double twice = 2.0 * cross(u, v);
        const Vec2 off = Vec2(v.y() * u.squaredNorm() - u.y() * v.squaredNorm(),
                              u.x() * v.squaredNorm() - v.x() * u.squaredNorm()) /
                         twice;
        both.from = last.from;
        both.centre = last.from + off;
        both.radius = off.norm();
        joints.push_back(next.from);
        const double angle = 2.0 * std::asin(std::min(1.0, 0.5 * v.norm() / both.radius));
        is_same =
            std::isfinite(both.radius) && angle < longest_arc && v.norm() > u.norm() &&
            std::ranges::all_of(joints, [&](const Vec2& p) {
              return std::abs((p - both.centre).norm() - both.radius) < on_circle * both.radius;
            });
      }
    }
    if (is_same) {
      merged.back() = both;
    } else {
      merged.push_back(next);
      joints.clear();
    }
  }
  segments_ = std::move(merged);
}

/// Moves the curve from the outline to the core.
void Meridian::move_inward() {
  const std::vector<ProfileSegment> outline = segments_;
  const auto out_of = [](const Vec2& direction) { return Vec2(-left_of(direction)); };
  // Height over the moved curve and its gradient.
  const auto over = [&](const ProfileSegment& segment, const Vec2& p, Vec2& gradient) {
    if (segment.radius == 0.0) {
      gradient = out_of((segment.to - segment.from).normalized());
      return gradient.dot(p - segment.from) + fillet_;
    }
    const Vec2 off = p - segment.centre;
    gradient = segment.sense * off.normalized();
    return segment.sense * (off.norm() - segment.radius) + fillet_;
  };
  for (std::size_t i = 0; i < outline.size(); ++i) {
    ProfileSegment& segment = segments_[i];
    if (segment.radius > 0.0) segment.radius -= segment.sense * fillet_;
    const std::size_t j = (i + 1) % outline.size();
    const ProfileSegment &one = outline[i], &next = outline[j];
    ProfileSegment old_one = one, old_next = next;
    for (ProfileSegment* p : {&old_one, &old_next}) p->along = p->to - p->from;
    const Vec2 n0 = out_of(old_one.end()), n1 = out_of(old_next.start());
    Vec2 g0, g1;
    if (one.to == next.from) {
      // Where both moved curves meet (Newton), or below the joint if there is no corner.
      Vec2 q = one.to - fillet_ * (n0 + n1) / (1.0 + n0.dot(n1));
      for (int k = 0; k < 20 && std::abs(cross(n0, n1)) > 1e-4; ++k) {
        const double h0 = over(one, q, g0), h1 = over(next, q, g1);
        const double det = cross(g0, g1);
        q -= Vec2(g1.y() * h0 - g0.y() * h1, g0.x() * h1 - g1.x() * h0) / det;
      }
      segments_[i].to = segments_[j].from = q;
      continue;
    }
    // Down to the axis.
    const auto to_axis = [&](const ProfileSegment& from, const Vec2& end, const Vec2& n) {
      Vec2 q(0.0, end.y() - fillet_ / n.y());
      for (int k = 0; k < 20; ++k) {
        const double h = over(from, q, g0);
        q.y() -= h / g0.y();
      }
      return q;
    };
    segments_[i].to = to_axis(one, one.to, n0);
    segments_[j].from = to_axis(next, next.from, n1);
  }
  double twice_area = 0.0;
  for (ProfileSegment& segment : segments_) {
    segment.along = segment.to - segment.from;
    segment.scale = 1.0 / segment.along.squaredNorm();
    segment.out = out_of(segment.along.normalized());
    twice_area += cross(segment.from, segment.to);
    const std::size_t next =
        (static_cast<std::size_t>(&segment - segments_.data()) + 1) % segments_.size();
    twice_area += cross(segment.to, segments_[next].from);
    if (!segment.along.allFinite() || !(segment.scale < 1e300)) twice_area = -1e300;
  }
  if (!(twice_area > 0.0))
    throw std::invalid_argument("the fillet of a turned shape is larger than its walls");
}

/// Edges, and on which side of the surface they are nearest; 0 where there is no edge.
void Meridian::find_edges() {
  bool touches_axis = false;
  const auto sign_of = [&](const Vec2& before, const Vec2& after, const Vec2& at) {
    const double turn = cross(before, after);
    if (std::abs(turn) < no_turn_of_outline) return 0.0;
    is_convex_ = is_convex_ && turn > 0.0;
    if (turn > 0.0) bulges_.push_back({.centre = at, .radius = fillet_});
    return turn > 0.0 ? 1.0 : -1.0;
  };
  const auto mirrored = [](const Vec2& v) { return Vec2(v.x(), -v.y()); };
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    ProfileSegment &one = segments_[i], &next = segments_[(i + 1) % segments_.size()];
    if (one.to == next.from) {
      one.sign_to = next.sign_from = sign_of(one.end(), next.start(), one.to);
    } else {
      touches_axis = true;
      one.sign_to = sign_of(one.end(), mirrored(one.end()), one.to);
      next.sign_from = sign_of(mirrored(next.start()), next.start(), next.from);
    }
    if (one.radius > 0.0) {
      is_convex_ = is_convex_ && one.sense > 0.0;
      if (one.sense > 0.0)
        bulges_.push_back({.centre = one.centre, .radius = one.radius + fillet_, .is_arc = true});
    }
  }
  is_convex_section_ = is_convex_;
  is_convex_ = is_convex_ && touches_axis;
}

void Meridian::measure() {
  lowest_ = std::numeric_limits<double>::infinity();
  highest_ = -lowest_;
  const auto reach = [&](const Vec2& p) {
    lowest_ = std::min(lowest_, p.y() - fillet_);
    highest_ = std::max(highest_, p.y() + fillet_);
    widest_ = std::max(widest_, p.x() + fillet_);
    farthest_ = std::max(farthest_, p.norm() + fillet_);
  };
  for (const ProfileSegment& segment : segments_) {
    reach(segment.from);
    reach(segment.to);
    if (segment.radius == 0.0) continue;
    const Vec2 away =
        segment.centre.norm() > 0.0 ? Vec2(segment.centre.normalized()) : Vec2(1.0, 0.0);
    for (const Vec2& way : {Vec2(0.0, 1.0), Vec2(0.0, -1.0), Vec2(1.0, 0.0), away}) {
      if (segment.covers(way)) reach(segment.centre + segment.radius * way);
    }
  }
}

double Meridian::distance(const Vec2& p, Vec2& normal) const {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double nearest = infinite, sign = 1.0;  // nearest: squared
  double highest = -infinite;             // of a convex section: over the pieces that it is behind
  Vec2 away = Vec2::UnitY(), out = Vec2::UnitY(), highest_out = Vec2::UnitY();
  const auto take_end = [&](const Vec2& end, double end_sign, const Vec2& end_out) {
    const Vec2 off = p - end;
    const double side = off.dot(end_out);
    if (is_convex_section_ && side < 0.0) {
      if (-off.norm() > highest) highest = -off.norm(), highest_out = end_out;
      return;
    }
    if (off.squaredNorm() >= nearest) return;
    nearest = off.squaredNorm();
    away = off;
    sign = end_sign != 0.0 ? end_sign : side < 0.0 ? -1.0 : 1.0;
    out = end_out;
  };
  for (const ProfileSegment& segment : segments_) {
    if (segment.radius == 0.0) {
      const Vec2 off = p - segment.from;
      const double over = segment.out.dot(off);
      if (is_convex_section_ && over < 0.0) {  // the nearest piece of a convex shape is in view
        if (over > highest) highest = over, highest_out = segment.out;
        continue;
      }
      const double along = off.dot(segment.along) * segment.scale;
      if (along <= 0.0) {
        take_end(segment.from, segment.sign_from, segment.out);
      } else if (along >= 1.0) {
        take_end(segment.to, segment.sign_to, segment.out);
      } else if (over * over < nearest) {
        nearest = over * over;
        sign = over < 0.0 ? -1.0 : 1.0;
        away = over * segment.out;
        out = segment.out;
      }
      continue;
    }
    const Vec2 off = p - segment.centre;
    if (!segment.covers(off)) {
      take_end(segment.from, segment.sign_from,
               segment.sense * (segment.from - segment.centre).normalized());
      take_end(segment.to, segment.sign_to,
               segment.sense * (segment.to - segment.centre).normalized());
      continue;
    }
    const double r = off.norm(), over = segment.sense * (r - segment.radius);
    const Vec2 here = r > 0.0 ? Vec2(segment.sense / r * off) : segment.out;
    if (is_convex_section_ && over < 0.0) {
      if (over > highest) highest = over, highest_out = here;
    } else if (over * over < nearest) {
      nearest = over * over;
      sign = over < 0.0 ? -1.0 : 1.0;
      away = over * here;
      out = here;
    }
  }
  if (nearest == infinite) {
    normal = highest_out;
    return highest - fillet_;
  }
  const double d = std::sqrt(nearest);
  normal = d > 0.0 ? Vec2(sign / d * away) : out;
  return sign * d - fillet_;
}

void Meridian::find_feet(const Vec2& p, double within, std::vector<Foot>& feet) const {
  for (int i = 0; i < static_cast<int>(segments_.size()); ++i) {
    const ProfileSegment& segment = segments_[i];
    Vec2 normal = segment.out;
    double over;
    if (segment.radius == 0.0) {
      const Vec2 off = p - segment.from;
      const double along = off.dot(segment.along) * segment.scale;
      if (along < 0.0 || along > 1.0) continue;
      over = segment.out.dot(off);
    } else {
      const Vec2 off = p - segment.centre;
      const double r = off.norm();
      if (r == 0.0 || !segment.covers(off)) continue;
      over = segment.sense * (r - segment.radius);
      normal = segment.sense / r * off;
    }
    if (over > fillet_ && over - fillet_ <= within) feet.push_back({over - fillet_, normal, i});
  }
}

}  // namespace peal::dynamics
