#include <peal/fem/elasticity.h>
#include <peal/vibration/ideal_disc.h>
#include <peal/vibration/ideal_line.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/polygon_membrane.h>

#include <cmath>
#include <numbers>

namespace peal::vibration {

namespace {

struct MakeShape {
  const base::Material& material;
  const ModeLimits& limits;

  double modulus_along_x() const {
    return fem::young_modulus_along(material, geometry::Vec3::UnitX());
  }

  std::unique_ptr<IdealShape> operator()(const scene::IdealString& string) const {
    const double section = std::numbers::pi * string.radius * string.radius;
    const double r = string.radius;
    const double stiffness = string.is_stiff ? modulus_along_x() * 0.25 * section * r * r : 0.0;
    return string_modes(string.length, string.tension, material.density * section, limits,
                        stiffness);
  }

  std::unique_ptr<IdealShape> operator()(const scene::IdealBar& bar) const {
    const double section = bar.width * bar.thickness;
    const double moment = section * bar.thickness * bar.thickness / 12.0;  // I [m^4]
    return bar_modes(bar.length, modulus_along_x() * moment, material.density * section, bar.left,
                     bar.right, limits);
  }

  std::unique_ptr<IdealShape> operator()(const scene::IdealMembrane& membrane) const {
    const double areal = material.density * membrane.thickness;
    if (const auto* rectangle = std::get_if<scene::Rectangle>(&membrane.outline)) {
      return rectangular_membrane(rectangle->size, membrane.tension, areal, limits);
    }
    if (const auto* disc = std::get_if<scene::Disc>(&membrane.outline)) {
      return circular_membrane(disc->radius, membrane.tension, areal, limits);
    }
    return polygon_membrane(std::get<geometry::Polygon>(membrane.outline), membrane.tension, areal,
                            limits, membrane.holes);
  }

  std::unique_ptr<IdealShape> operator()(const scene::IdealPlate& plate) const {
    const double nu = material.poisson_ratio;
    const double stiffness =
        material.young_modulus * std::pow(plate.thickness, 3) / (12.0 * (1.0 - nu * nu));
    const double areal = material.density * plate.thickness;
    if (const auto* disc = std::get_if<scene::Disc>(&plate.outline)) {
      return circular_plate(disc->radius, stiffness, nu, areal, plate.edges[0], limits);
    }
    return rectangular_plate({.size = std::get<scene::Rectangle>(plate.outline).size,
                              .bending_stiffness = stiffness,
                              .poisson_ratio = nu,
                              .areal_density = areal,
                              .low_x = plate.edges[0],
                              .high_x = plate.edges[1],
                              .low_z = plate.edges[2],
                              .high_z = plate.edges[3]},
                             limits);
  }
};

struct Area {
  double operator()(const scene::IdealString& one) const { return 2.0 * one.radius * one.length; }
  double operator()(const scene::IdealBar& one) const { return one.width * one.length; }
  double operator()(const scene::IdealMembrane& one) const {
    double area = std::visit(*this, one.outline);
    for (const geometry::Polygon& hole : one.holes) area -= (*this)(hole);
    return area;
  }
  double operator()(const scene::IdealPlate& one) const { return std::visit(*this, one.outline); }
  double operator()(const scene::Rectangle& one) const { return one.size.prod(); }
  double operator()(const scene::Disc& one) const {
    return std::numbers::pi * one.radius * one.radius;
  }
  double operator()(const geometry::Polygon& one) const {
    return std::abs(geometry::signed_area(one));
  }
};

}  // namespace

std::unique_ptr<IdealShape> make_ideal_shape(const scene::IdealShape& shape,
                                             const base::Material& material,
                                             const ModeLimits& limits) {
  return std::visit(MakeShape{material, limits}, shape);
}

double facing_area(const scene::IdealShape& shape) {
  return std::visit(Area{}, shape);
}

}  // namespace peal::vibration
