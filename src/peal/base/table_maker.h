#pragma once

#include <peal/base/modes.h>
#include <peal/base/radiation_tables.h>
#include <peal/base/world.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace peal::base {

/// Makes precomputed radiation of bodies, or finds it where it was stored. All functions may be
/// called from several threads.
class TableMaker {
 public:
  virtual ~TableMaker() = default;

  /// What a table needs before it can be used.
  struct Outlook {
    bool is_possible = true;     ///< whether the body can have a table at all
    bool is_stored = false;      ///< whether nothing has to be computed
    double work = 0.0;           ///< cells times steps
    double max_frequency = 0.0;  ///< of the table [Hz], lower than asked for if a body is large
    std::string problem;         ///< why there is no table, or not of the whole band
    std::filesystem::path file;  ///< where the table is or will be stored
  };
  virtual Outlook rigid_outlook(const Body& body, const Medium& medium,
                                double max_frequency) const = 0;
  virtual Outlook modal_outlook(const Body& body, const ModalModel& model, const Medium& medium,
                                double max_frequency) const = 0;

  using Advance = std::function<void(double fraction)>;
  virtual std::shared_ptr<const RigidRadiation> rigid(const Body& body, const Medium& medium,
                                                      double max_frequency,
                                                      const Advance& advance) const = 0;
  virtual std::shared_ptr<const ModalRadiation> modal(const Body& body, const ModalModel& model,
                                                      const Medium& medium, double max_frequency,
                                                      const Advance& advance) const = 0;

  /// What users should know about stored tables: damaged entries, failed writes.
  virtual std::vector<std::string> notices() const = 0;
};

}  // namespace peal::base
