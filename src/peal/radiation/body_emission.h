#pragma once

#include <peal/base/listener.h>
#include <peal/base/radiation_drives.h>
#include <peal/base/world.h>
#include <peal/radiation/flat_mirrors.h>
#include <peal/radiation/multipole_fields.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace peal::radiation {

/// Acceleration noise of a body with a table: its events, and the table at the frequencies of
/// blocks that are long enough for them.
class TabledClicks {
 public:
  TabledClicks(std::shared_ptr<const base::RigidDrive> drive,
               std::shared_ptr<const base::RigidRadiation> table, base::Rate rate);

  const base::RigidRadiation& table() const { return *table_; }
  const base::RigidDrive& drive() const { return *drive_; }
  const std::vector<base::RigidDrive::Event>& events() const { return events_; }
  const RigidField& field(std::size_t event) const { return fields_.at(lengths_[event]); }
  /// The longest block [samples].
  std::int64_t longest() const;

 private:
  std::shared_ptr<const base::RigidDrive> drive_;
  std::shared_ptr<const base::RigidRadiation> table_;
  std::vector<base::RigidDrive::Event> events_;
  std::vector<std::size_t> lengths_;          ///< of the blocks of events [samples]
  std::map<std::size_t, RigidField> fields_;  ///< by length
};

/// The modes of a body with a table.
struct TabledModes {
  std::shared_ptr<const base::SurfaceSource> source;
  std::shared_ptr<const base::ModalDrive> drive;
  std::shared_ptr<const base::ModalRadiation> table;
  ModalField field;

  TabledModes(std::shared_ptr<const base::SurfaceSource> from,
              std::shared_ptr<const base::ModalDrive> drive_of,
              std::shared_ptr<const base::ModalRadiation> radiation)
      : source(std::move(from)),
        drive(std::move(drive_of)),
        table(std::move(radiation)),
        field(*table) {}
};

/// What a body with tables sends towards one receiver, as the strength of a point at the centre of
/// its expansion: the pressure at the receiver times its distance, at the time of emission.
/// `direct` then does the rest: distance, travel time and Doppler shift.
class BodyEmission : public base::PointShader {
 public:
  /// With a mirror, `receiver` is the real one, and the sound takes the way over the mirror.
  BodyEmission(const base::World& world, const base::Body& body, const base::Receiver& receiver,
               const FlatMirror* mirror)
      : world_(world), body_(body), receiver_(receiver), mirror_(mirror) {}

  std::vector<std::shared_ptr<const TabledClicks>> clicks;
  std::vector<std::shared_ptr<const TabledModes>> modes;

  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  /// The receiver as seen from the body when sound leaves its centre.
  struct View {
    Vec3 direction;         ///< body frame, unit length
    double distance = 0.0;  ///< [m]
    float gain = 1.0f;      ///< 0 if the mirror is missed
  };
  View view(const Vec3& centre, double t) const;
  void add_clicks(const TabledClicks& one, base::Signal& signal) const;
  void add_modes(const TabledModes& one, base::Signal& signal) const;
  void add_stretch(const TabledModes& one, base::SampleRange stretch, base::Signal& signal) const;

  const base::World& world_;
  const base::Body& body_;
  base::Receiver receiver_;
  const FlatMirror* mirror_;
};

}  // namespace peal::radiation
