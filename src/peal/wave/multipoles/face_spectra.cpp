#include <peal/wave/multipoles/face_spectra.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace peal::wave {

FaceSpectra::FaceSpectra(const KirchhoffSurface& box, std::vector<double> frequencies)
    : box_(box),
      frequencies_(std::move(frequencies)),
      records_(Eigen::MatrixXf::Zero(static_cast<Eigen::Index>(2 * box.slots()), block)),
      phases_(block, static_cast<Eigen::Index>(2 * frequencies_.size())),
      sums_(Eigen::MatrixXf::Zero(records_.rows(), phases_.cols())) {}

void FaceSpectra::record(const Field<float>& field, double t, double weight) {
  box_.read(field, records_.col(filled_).data());
  const auto count = static_cast<Eigen::Index>(frequencies_.size());
  for (Eigen::Index f = 0; f < count; ++f) {
    const double phase = 2.0 * std::numbers::pi * frequencies_[static_cast<std::size_t>(f)] * t;
    phases_(filled_, f) = static_cast<float>(weight * std::cos(phase));
    phases_(filled_, count + f) = static_cast<float>(-weight * std::sin(phase));
  }
  if (++filled_ == block) flush();
}

void FaceSpectra::flush() {
  if (filled_ == 0) return;
  sums_.noalias() += records_.leftCols(filled_) * phases_.topRows(filled_);
  filled_ = 0;
}

Eigen::VectorXcd FaceSpectra::spectrum(std::size_t f, bool slope) const {
  const auto real = static_cast<Eigen::Index>(f);
  const Eigen::Index imaginary = real + static_cast<Eigen::Index>(frequencies_.size());
  constexpr auto lanes = static_cast<Eigen::Index>(FaceGroup::capacity);
  const auto groups = static_cast<Eigen::Index>(box_.groups().size());
  Eigen::VectorXcd result(groups * lanes);
  for (Eigen::Index g = 0; g < groups; ++g) {
    const Eigen::Index row = (2 * g + (slope ? 1 : 0)) * lanes;
    result.segment(g * lanes, lanes).real() = sums_.col(real).segment(row, lanes).cast<double>();
    result.segment(g * lanes, lanes).imag() =
        sums_.col(imaginary).segment(row, lanes).cast<double>();
  }
  return result;
}

Eigen::VectorXcd FaceSpectra::pressures(std::size_t f) const {
  return spectrum(f, false);
}

Eigen::VectorXcd FaceSpectra::slopes(std::size_t f) const {
  return spectrum(f, true);
}

}  // namespace peal::wave
