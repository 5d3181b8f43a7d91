#pragma once

#include <peal/base/modes.h>
#include <peal/base/radiation_tables.h>
#include <peal/util/store.h>

#include <functional>

namespace peal::wave {

/// How the radiation of modes is computed.
struct ModalRadiationPlan {
  /// Modes by the index of their run: in each they are so far apart that their bursts do not
  /// overlap in frequency.
  std::vector<std::vector<std::size_t>> runs;
  double cell_size = 0.0;  ///< [m]
  std::size_t modes = 0;   ///< the lowest ones, which are computed
  std::string key;
};

/// Modes up to `max_frequency` [Hz] are computed; none if there are none.
ModalRadiationPlan plan_modal_radiation(const base::ModalModel& model, const base::Medium& medium,
                                        double max_frequency);

/// Computes the radiation of the modes of a body, several in each run by bursts of tones, all runs
/// on all cores (docs/theory/precomputed.md). `advance` gets the fraction that is done.
base::ModalRadiation modal_radiation(const base::ModalModel& model, bool is_sheet,
                                     const base::Medium& medium, const ModalRadiationPlan& plan,
                                     const std::function<void(double)>& advance);

/// Like modal_radiation(), but reads it from the store if it is there.
base::ModalRadiation stored_modal_radiation(const util::Store& store, const base::ModalModel& model,
                                            bool is_sheet, const base::Medium& medium,
                                            double max_frequency,
                                            const std::function<void(double)>& advance);

/// Cells times steps of the computation.
double modal_radiation_work(const ModalRadiationPlan& plan, const geometry::TriMesh& mesh,
                            const base::Medium& medium);

}  // namespace peal::wave
