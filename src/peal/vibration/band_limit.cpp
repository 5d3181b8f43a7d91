#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/util/error.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/element_size.h>

#include <fmt/format.h>

#include <cmath>

namespace peal::vibration {

namespace {

/// The band is lowered at most this often; each time to about the size that fits.
constexpr int most_steps = 12;
/// Frequencies converge with about this power of the edge length (measured on a mug).
constexpr double order_of_convergence = 5.0;

/// The expected number of unknowns may be too high by this factor: what is below is remeshed first,
/// and then counted.
constexpr double rough_estimate = 1.6;

std::string hertz_text(double frequency) {
  return frequency >= 1000.0 ? fmt::format("{:.3g} kHz", frequency / 1000.0)
                             : fmt::format("{:.3g} Hz", frequency);
}

}  // namespace

double elements_per_wave(double accuracy) {
  return 2.9 * std::pow(0.005 / accuracy, 1.0 / order_of_convergence);
}

std::optional<BandLimit> ringing_band(const SolidSize& size, const base::Material& material,
                                      double wanted) {
  const auto limit = ringing_limit(size, material);
  if (!limit || *limit >= wanted) return std::nullopt;
  return BandLimit{*limit,
                   fmt::format("a few residual shapes stand for the modes above {}, which decay "
                               "within ten cycles and overlap, so that none is heard as a tone",
                               hertz_text(*limit))};
}

BandLimit computable_band(double frequency) {
  return {frequency,
          fmt::format("only modes up to {}: a higher band needs more than {:.0f} unknowns",
                      hertz_text(frequency), most_unknowns)};
}

std::optional<BandLimit> affordable_band(const geometry::TriMesh& mesh,
                                         const std::vector<double>& thickness,
                                         const base::Material& material, double wanted,
                                         double per_wave) {
  double band = wanted;
  for (int i = 0; i < most_steps; ++i) {
    const double size =
        expected_unknowns(mesh, thickness, edge_lengths(mesh, thickness, material, band, per_wave));
    if (size <= (i == 0 ? rough_estimate : 1.0) * most_unknowns) break;
    // Between walls, by the square, and bulky bodies, by the cube.
    band *= 0.97 * std::pow(most_unknowns / size, 1.0 / 2.5);
  }
  if (band == wanted) return std::nullopt;
  return computable_band(band);
}

std::vector<std::string> preview_solid_modes(const geometry::TriMesh& surface,
                                             const base::Material& material,
                                             const SolidModesSettings& settings,
                                             const std::string& file) {
  geometry::refuse_hopeless(surface, file);
  std::vector<std::string> notices;
  double band = settings.max_frequency;
  const SolidSize size{std::abs(signed_volume(surface)), surface_area(surface)};
  if (const auto limit = ringing_band(size, material, band)) {
    notices.push_back(limit->reason);
    band = limit->frequency;
  }
  const geometry::SurfaceQuery query(surface);
  if (const auto limit = affordable_band(surface, thicknesses(query), material, band,
                                         elements_per_wave(settings.accuracy))) {
    notices.push_back(limit->reason);
  }
  return notices;
}

}  // namespace peal::vibration
