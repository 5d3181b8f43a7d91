#pragma once

#include <peal/base/contact.h>
#include <peal/base/table_maker.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/validation/wave_trial.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Bodies whose acceleration noise is rendered by tables and by the wave solver.
namespace peal::validation {

/// Tables that are made when they are asked for, and not stored.
class FreshTables : public base::TableMaker {
 public:
  Outlook rigid_outlook(const base::Body&, const base::Medium&, double) const override {
    return {.is_stored = true};
  }
  Outlook modal_outlook(const base::Body&, const base::ModalModel&, const base::Medium&,
                        double) const override {
    return {.is_possible = false};
  }
  std::shared_ptr<const base::RigidRadiation> rigid(const base::Body& body,
                                                    const base::Medium& medium, double band,
                                                    const Advance& advance) const override;
  std::shared_ptr<const base::ModalRadiation> modal(const base::Body&, const base::ModalModel&,
                                                    const base::Medium&, double,
                                                    const Advance&) const override {
    return nullptr;
  }
  std::vector<std::string> notices() const override { return {}; }

 private:
  mutable std::map<std::string, std::shared_ptr<const base::RigidRadiation>> shapes_;
};

/// A random direction.
Vec3 click_direction(std::uint64_t stream, std::uint64_t i);

/// The acceleration noise of a body under some forces, each half a sine.
std::shared_ptr<const base::SurfaceSource> struck(const geometry::MassProperties& mass,
                                                  const std::vector<base::ContactForce>& forces);

/// The pressure at all samples from 0 on.
std::vector<double> from_start(const Received& received, std::int64_t samples);

}  // namespace peal::validation
