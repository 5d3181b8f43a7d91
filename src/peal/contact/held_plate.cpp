#include <peal/contact/held_plate.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <algorithm>
#include <limits>

namespace peal::contact {

namespace {

constexpr double thin = 0.2;  ///< thickness over the next size, at most
constexpr double full = 0.5;  ///< volume over that of the box, at least

class HeldPlate : public base::ContactCompliance {
 public:
  explicit HeldPlate(const geometry::Mat3& mobility) : mobility_(mobility) {}

  const std::vector<base::Mode>& modes() const override { return none_; }
  double cut() const override { return 0.0; }
  Point at(const geometry::Vec3&) const override {
    return {.gains = Eigen::Matrix3Xf(3, 0), .mobility = mobility_};
  }

 private:
  std::vector<base::Mode> none_;
  geometry::Mat3 mobility_;
};

}  // namespace

std::shared_ptr<const base::ContactCompliance> held_plate(const geometry::TriMesh& mesh,
                                                          const base::Material& material) {
  if (mesh.triangles.empty() || !(geometry::signed_volume(mesh) > 0.0)) return nullptr;
  const geometry::MassProperties mass = geometry::mass_properties(mesh, material.density);
  const geometry::Mat3 axes = geometry::principal_axes(mass.inertia).axes;
  geometry::Vec3 least = geometry::Vec3::Constant(std::numeric_limits<double>::infinity());
  geometry::Vec3 most = -least;
  for (const geometry::Vec3& vertex : mesh.vertices) {
    const geometry::Vec3 along = axes.transpose() * vertex;
    least = least.cwiseMin(along);
    most = most.cwiseMax(along);
  }
  const geometry::Vec3 sizes = most - least;
  Eigen::Index thinnest = 0;
  const double thickness = sizes.minCoeff(&thinnest);
  const double next = std::min(sizes[(thinnest + 1) % 3], sizes[(thinnest + 2) % 3]);
  if (!(thickness < thin * next) || mass.volume < full * sizes.prod()) return nullptr;
  return std::make_shared<HeldPlate>(
      base::plate_mobility(axes.col(thinnest), thickness, material.young_modulus,
                           material.poisson_ratio, material.density));
}

}  // namespace peal::contact
