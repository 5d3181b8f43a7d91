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

/// Recorded motion of the surface of a deformable body from t = 0 on, in its initial frame.
struct SurfaceRecord {
  base::Rate rate;         ///< rate of acceleration samples
  geometry::TriMesh mesh;  ///< at rest [m]
  /// x, y, z of each vertex, sample by sample, low-pass filtered for the rate [m/s^2].
  std::vector<float> accelerations;
  /// Displacement from rest of each vertex, x, y, z, shape by shape, low-pass filtered for the rate
  /// of shapes [m].
  std::vector<float> displacements;
  /// What became of the energy of a shell; none for other bodies.
  std::optional<base::SourceEnergy> energy;

  std::size_t channels() const { return 3 * mesh.vertices.size(); }
  std::int64_t instants() const;
  std::int64_t shapes() const;
  /// Samples from one shape to the next: a power of 2 that takes 0.8 to 1.5 ms, the time for which
  /// rays keep their geometry.
  static std::int64_t shape_samples(base::Rate rate);
  double shape_time() const { return rate.seconds(shape_samples(rate)); }  ///< [s]
  /// Whether a vertex moves farther than `distance` [m] from its position in the first shape.
  bool moves_by(double distance) const;
};

/// Deformation given by the shapes of a record, linearly interpolated.
class RecordedDeformation : public base::Deformation {
 public:
  explicit RecordedDeformation(std::shared_ptr<const SurfaceRecord> record);

  void vertices(double t, std::span<base::Vec3> out) const override;

 private:
  std::shared_ptr<const SurfaceRecord> record_;
};

/// Surface source of a recorded surface: a_n(x, t) = n . a(x, t), with the normal of the present
/// shape. The mesh of the body must be that of the record. Rates below the record's are sampled
/// without a filter.
class RecordedSource : public base::SurfaceSource {
 public:
  explicit RecordedSource(std::shared_ptr<const SurfaceRecord> record);

  Eigen::Index columns() const override;
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  /// Leaves out ranges that are 120 dB below the strongest acceleration, judged by one in 8
  /// samples.
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;
  std::optional<base::Rate> vertex_rate() const override { return record_->rate; }
  /// That of the whole record.
  std::optional<base::SourceEnergy> energy(const base::Medium&, double) const override {
    return record_->energy;
  }

 private:
  void read(base::SampleRange range, base::Coefficients& out) const;
  void interpolate(base::Rate rate, base::SampleRange range, base::Coefficients& out) const;

  std::shared_ptr<const SurfaceRecord> record_;
  std::vector<base::SampleRange> active_;  ///< at the rate of the record
};

/// Recorded path of a free rigid body from t = 0 on.
struct PathRecord {
  static constexpr std::int64_t pose_samples = 8;  ///< of audio, from one pose to the next

  std::vector<double> poses;  ///< position [m] and quaternion x, y, z, w of each pose

  void add(const base::Pose& pose);
  std::size_t size() const { return poses.size() / 7; }
  base::Pose pose(std::size_t index) const;
};

/// Result of a simulation.
struct Recording {
  std::vector<SurfaceRecord> surfaces;   ///< one a solid
  std::vector<PathRecord> paths;         ///< one a free rigid body
  base::ContactLog contacts;             ///< of rigid bodies with each other, if some are free
  double rest_impulse = 0.0;             ///< of resting contacts, which `contacts` leaves out [N s]
  std::vector<std::string> diagnostics;  ///< sentences about how the simulation was done
};

/// Writes or reads a recording. Throws InputError if the data is not a possible recording.
void serialize(util::Archive& archive, Recording& recording);

}  // namespace peal::elastic
