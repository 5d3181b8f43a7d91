#pragma once

#include <peal/base/table_maker.h>
#include <peal/util/store.h>
#include <peal/wave/multipoles/ellipsoid_bank.h>

#include <map>
#include <mutex>
#include <set>
#include <string>

namespace peal::wave {

/// Precomputed radiation by the wave solver, kept in the user's cache.
class StoredTables : public base::TableMaker {
 public:
  /// `fragments` are the names of bodies that are pieces of others: for the small ones an ellipsoid
  /// stands in, and their modes have no tables.
  explicit StoredTables(std::set<std::string> fragments = {});

  Outlook rigid_outlook(const base::Body& body, const base::Medium& medium,
                        double max_frequency) const override;
  Outlook modal_outlook(const base::Body& body, const base::ModalModel& model,
                        const base::Medium& medium, double max_frequency) const override;
  std::shared_ptr<const base::RigidRadiation> rigid(const base::Body& body,
                                                    const base::Medium& medium,
                                                    double max_frequency,
                                                    const Advance& advance) const override;
  std::shared_ptr<const base::ModalRadiation> modal(const base::Body& body,
                                                    const base::ModalModel& model,
                                                    const base::Medium& medium,
                                                    double max_frequency,
                                                    const Advance& advance) const override;
  std::vector<std::string> notices() const override;

 private:
  bool is_known(const std::string& key) const;

  /// Whether an ellipsoid stands for the body: it is a small piece of another.
  bool is_from_bank(const base::Body& body, const base::Medium& medium, double max_frequency) const;

  std::set<std::string> fragments_;
  util::Store rigid_, modal_;
  EllipsoidBank bank_;
  mutable std::mutex mutex_;
  /// Tables of shapes that this run made or read, by their keys: many bodies may share one.
  mutable std::map<std::string, std::shared_ptr<const base::RigidRadiation>> shapes_;
};

}  // namespace peal::wave
