#pragma once

#include <peal/base/radiation_tables.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/util/store.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace peal::wave {

/// The ellipsoid that stands for a compact body: of the same volume, with principal moments of
/// inertia in the same ratios.
struct StandIn {
  geometry::Vec3 centre = geometry::Vec3::Zero();    ///< of mass, body frame [m]
  geometry::Mat3 axes = geometry::Mat3::Identity();  ///< columns, the longest first
  geometry::Vec3 half = geometry::Vec3::Ones();      ///< half axes, the longest first [m]
};

StandIn stand_in(const geometry::TriMesh& body);

/// The radiation of rigid ellipsoids of any size and ratio of their axes, from 28 of them: both
/// ratios are powers of 1 / sqrt(2) down to 1/8, and between those the coefficients of waves are
/// interpolated by cubics in the logarithms of the ratios at equal ka. Ellipsoids are computed on
/// first use and kept in the store of tables (docs/theory/precomputed.md).
class EllipsoidBank {
 public:
  static constexpr int steps = 6;           ///< of sqrt(2) for each ratio
  static constexpr double reach = 15.2;     ///< largest ka
  static constexpr double thinnest = 0.05;  ///< least ratio of axes for which it stands in
  /// A chunk turns against the air by its edges, an ellipsoid as round hardly at all: above this ka
  /// it is too quiet by more than 1 dB. Bodies with a ratio of axes below `flat` push the air by
  /// their sides.
  static constexpr double reach_of_chunks = 2.5, flat = 0.4;

  /// `store` must outlive it.
  explicit EllipsoidBank(const util::Store& store) : store_(store) {}

  /// Whether a body up to a frequency [Hz] is small and thick enough.
  static bool covers(const StandIn& body, double speed_of_sound, double max_frequency);

  /// Cells times steps to compute the ellipsoids that are missing for a body; 0 if none are.
  double missing_work(const StandIn& body) const;

  /// The radiation of the ellipsoid in its own axes x >= y >= z, with x = 1 m, in normal air.
  base::RigidRadiation ellipsoid(double middle_ratio, double short_ratio,
                                 const std::function<void(double)>& advance) const;

  /// The radiation of a body as that of its ellipsoid: turned into its axes, and with the dipoles
  /// scaled by the mass of the body's volume of air and the air that it carries.
  base::RigidRadiation radiation(const geometry::TriMesh& body, const base::Medium& medium,
                                 double max_frequency,
                                 const std::function<void(double)>& advance) const;

 private:
  /// Powers of 1 / sqrt(2) of the ratios of the y and z axes; y may be the shorter one.
  using Node = std::pair<int, int>;
  struct Share {
    Node node;
    double weight;
  };
  static std::vector<Share> shares(double middle_ratio, double short_ratio);
  std::shared_ptr<const base::RigidRadiation> node(
      const Node& which, const std::function<void(double)>& advance) const;

  const util::Store& store_;
  mutable std::mutex mutex_;
  mutable std::map<Node, std::shared_ptr<const base::RigidRadiation>> nodes_;
};

}  // namespace peal::wave
