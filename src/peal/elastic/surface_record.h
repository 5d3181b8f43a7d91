#pragma once

#include <peal/base/contact.h>
#include <peal/base/motion.h>
#include <peal/base/surface_source.h>
#include <peal/base/time.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::util {
class Archive;
}

namespace peal::elastic {

/// What the surface of a deformable body did from t = 0 on, in the frame that it started in.
struct SurfaceRecord {
  base::Rate rate;         ///< of instants
  geometry::TriMesh mesh;  ///< at rest [m]
  /// x, y, z of each vertex, instant by instant, without what is too high for the rate [m/s^2].
  std::vector<float> accelerations;
  /// Way from rest of each vertex, x, y, z, shape by shape, without what is too fast for them [m].
  std::vector<float> displacements;

  std::size_t channels() const { return 3 * mesh.vertices.size(); }
  std::int64_t instants() const;
  std::int64_t shapes() const;
  /// Instants from one shape to the next: a power of 2, for 0.8 to 1.5 ms, as long as rays are
  /// straight.
  static std::int64_t shape_samples(base::Rate rate);
  double shape_time() const { return rate.seconds(shape_samples(rate)); }  ///< [s]
  /// Whether a vertex gets farther than this from where it is in the first shape [m].
  bool moves_by(double distance) const;
};

/// Shapes of a record, with straight lines between them.
class RecordedDeformation : public base::Deformation {
 public:
  explicit RecordedDeformation(std::shared_ptr<const SurfaceRecord> record);

  void vertices(double t, std::span<base::Vec3> out) const override;

 private:
  std::shared_ptr<const SurfaceRecord> record_;
};

/// The sound of a recorded surface: a_n(x, t) = n . a(x, t), with the normal of the shape that it
/// has when it is asked. The body's mesh must be that of the record; rates are whole multiples of
/// the record's.
class RecordedSource : public base::SurfaceSource {
 public:
  explicit RecordedSource(std::shared_ptr<const SurfaceRecord> record);

  Eigen::Index columns() const override;
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  /// Leaves out what is 120 dB below the strongest acceleration, judged by one in 8 samples.
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;
  std::optional<base::Rate> vertex_rate() const override { return record_->rate; }

 private:
  void read(base::SampleRange range, base::Coefficients& out) const;
  void interpolate(base::Rate rate, base::SampleRange range, base::Coefficients& out) const;

  std::shared_ptr<const SurfaceRecord> record_;
  std::vector<base::SampleRange> active_;  ///< at the rate of the record
};

/// Where a free rigid body was, from t = 0 on.
struct PathRecord {
  static constexpr std::int64_t pose_samples = 8;  ///< of audio, from one pose to the next

  std::vector<double> poses;  ///< position [m] and quaternion x, y, z, w of each

  void add(const base::Pose& pose);
  std::size_t size() const { return poses.size() / 7; }
  base::Pose pose(std::size_t index) const;
};

/// What came of a simulation.
struct Recording {
  std::vector<SurfaceRecord> surfaces;   ///< one a solid
  std::vector<PathRecord> paths;         ///< one a free rigid body
  base::ContactLog contacts;             ///< of rigid bodies with each other, if some are free
  double rest_impulse = 0.0;             ///< of contacts at rest that it leaves out [N s]
  std::vector<std::string> diagnostics;  ///< sentences about how it was done
};

/// Writes or reads it. Throws InputError for what no simulation can have recorded.
void serialize(util::Archive& archive, Recording& recording);

}  // namespace peal::elastic
