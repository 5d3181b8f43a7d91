#pragma once

#include <peal/base/radiation_tables.h>
#include <peal/geometry/mesh/enclosing_ball.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/util/store.h>

#include <functional>
#include <string>

namespace peal::wave {

/// What is computed for the radiation of a rigid body. Bodies of one shape share it whatever their
/// size: the run is that of the shape in a ball of 1 m.
struct RigidRadiationPlan {
  geometry::Ball ball;          ///< around the body [m]
  double reach = 0.0;           ///< largest kR of the table
  double max_frequency = 0.0;   ///< of the body itself, as far as it was asked for [Hz]
  double cells_per_radius = 0;  ///< R / h
  /// How long the body is heard after a pulse [R / c]; 0: it is found out first.
  double response = 0.0;
  std::string key;  ///< of the shape in the store

  bool is_complete = true;  ///< false: `max_frequency` is limited by the size of the body

  /// The table of the body from that of its shape in a ball of 1 m.
  base::RigidRadiation of_body(const base::RigidRadiation& shape, const base::Medium& medium) const;
};

/// kR of tables: small bodies share the lowest; each further one is sqrt(2) times as high.
inline constexpr double least_reach = 7.6;
inline constexpr double most_reach = 43.0;

RigidRadiationPlan plan_rigid_radiation(const geometry::TriMesh& mesh, const base::Medium& medium,
                                        double max_frequency);

/// Computes the radiation of a shape in a ball of 1 m: one pulse of acceleration for each of the
/// six motions, alone in the air, on all cores (docs/theory/precomputed.md). `advance` gets the
/// fraction that is done, from one thread at a time.
base::RigidRadiation shape_radiation(const geometry::TriMesh& mesh, const RigidRadiationPlan& plan,
                                     const std::function<void(double)>& advance);

/// Like shape_radiation(), but reads it from the store if it is there.
base::RigidRadiation stored_shape_radiation(const util::Store& store, const geometry::TriMesh& mesh,
                                            const RigidRadiationPlan& plan,
                                            const std::function<void(double)>& advance);

/// Cells times steps of the computation.
double rigid_radiation_work(const RigidRadiationPlan& plan, const geometry::TriMesh& mesh);

}  // namespace peal::wave
