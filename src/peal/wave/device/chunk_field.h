#pragma once

#include <peal/wave/device/field_device.h>
#include <peal/wave/device/table_writer.h>
#include <peal/wave/far_field/kirchhoff_surface.h>
#include <peal/wave/scheme/cpml.h>
#include <peal/wave/scheme/cut_scheme.h>

#include <memory>
#include <vector>

namespace peal::wave::device {

/// Constants of the scheme in a chunk.
struct SchemeConstants {
  CutScheme cut;
  double slow = 0.0, slow2 = 0.0;  ///< of the filter of cavities
  int layer_cells = 5;
};

/// The memory of a device for the field of a chunk, which is silent at first.
template <class Real>
class ChunkField {
 public:
  ChunkField(BufferPool& pool, const Grid& grid, const SchemeConstants& scheme,
             const KirchhoffSurface& surface);

  const FieldMemory<Real>& memory() const { return memory_; }
  FieldMemory<Real>& memory() { return memory_; }
  /// To be cleared once.
  const std::shared_ptr<const Buffer>& fields() const { return fields_; }
  /// To be uploaded once.
  const Tables& head() const { return head_; }
  const LayerCoefficients<Real>& coefficients() const { return coefficients_; }
  std::uint32_t plane_blocks() const { return plane_blocks_; }
  std::uint32_t rows() const { return rows_; }
  std::uint32_t groups() const { return memory_.groups; }

  /// The bytes that a chunk takes on a device, without lists of nodes.
  static std::size_t bytes(const Cell& size, int layer_cells);

 private:
  LayerCoefficients<Real> coefficients_;
  std::shared_ptr<const Buffer> fields_;
  Tables head_;
  FieldMemory<Real> memory_{};
  std::uint32_t plane_blocks_ = 0, rows_ = 0;
};

extern template class ChunkField<float>;
extern template class ChunkField<double>;

}  // namespace peal::wave::device
