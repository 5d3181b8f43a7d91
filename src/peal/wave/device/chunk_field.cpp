#include <peal/util/error.h>
#include <peal/wave/device/chunk_field.h>
#include <peal/wave/device/device_lost.h>
#include <peal/wave/device/step_kernels.h>
#include <peal/wave/grid/field_layout.h>

#include <fmt/format.h>

#include <limits>

namespace peal::wave::device {

namespace {

/// The arrays of a chunk, one after the other.
class Arrays {
 public:
  explicit Arrays(std::byte* begin = nullptr) : begin_(begin) {}

  template <class T>
  T* take(std::size_t count) {
    constexpr std::size_t alignment = 256;
    const std::size_t at = (end_ + alignment - 1) / alignment * alignment;
    end_ = at + count * sizeof(T);
    return reinterpret_cast<T*>(begin_ + at);
  }
  std::size_t size() const { return end_; }

 private:
  std::byte* begin_;
  std::size_t end_ = 0;
};

template <class Real>
FieldMemory<Real> place_arrays(const Cell& size, int layer, Arrays& arrays) {
  const FieldLayout layout = field_layout<Real>(size);
  const std::size_t values = field_values<Real>(size);
  FieldMemory<Real> m{};
  for (std::size_t axis = 0; axis < 3; ++axis) m.size[axis] = size[axis];
  m.offset = static_cast<std::uint32_t>(layout.offset);
  m.row = static_cast<std::uint32_t>(layout.stride[1]);
  m.plane = static_cast<std::uint32_t>(layout.stride[2]);
  m.rows_magic = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + m.row - 1) / m.row);
  m.layer = layer;
  for (Real*& field : m.field) field = arrays.template take<Real>(values);
  const auto cells = static_cast<std::size_t>(layer), ny = static_cast<std::size_t>(size[1]),
             nz = static_cast<std::size_t>(size[2]);
  constexpr std::size_t pitch = 8;
  m.end_pitch = static_cast<std::uint32_t>((2 * (cells + 1) + pitch - 1) / pitch * pitch);
  const std::size_t of_ends = ny * nz * m.end_pitch;
  const std::size_t planes[3] = {0, nz * m.row, ny * m.row};
  std::size_t psi = of_ends, xi = of_ends;
  for (std::size_t axis = 1; axis < 3; ++axis) {
    m.psi_at[axis] = static_cast<std::uint32_t>(psi);
    m.xi_at[axis] = static_cast<std::uint32_t>(xi);
    psi += 2 * (cells + 1) * planes[axis];
    xi += 2 * cells * planes[axis];
  }
  for (Real*& one : m.psi) one = arrays.template take<Real>(psi);
  m.xi = arrays.template take<Real>(xi);
  m.mask = arrays.template take<unsigned char>(values);
  if (values >= std::numeric_limits<std::int32_t>::max() ||
      psi >= std::numeric_limits<std::uint32_t>::max())
    throw DeviceLost("the grid has more cells than 32 bits can count");
  return m;
}

}  // namespace

template <class Real>
std::size_t ChunkField<Real>::bytes(const Cell& size, int layer_cells) {
  Arrays arrays;
  place_arrays<Real>(size, layer_cells, arrays);
  return arrays.size();
}

template <class Real>
ChunkField<Real>::ChunkField(BufferPool& pool, const Grid& grid, const SchemeConstants& scheme,
                             const KirchhoffSurface& surface)
    : coefficients_(
          layer_coefficients<Real>(grid.size, scheme.cut.lambda, {.cells = scheme.layer_cells})) {
  fields_ = pool.take_field(bytes(grid.size, scheme.layer_cells));
  Arrays arrays(fields_->device);
  FieldMemory<Real>& m = memory_;
  m = place_arrays<Real>(grid.size, scheme.layer_cells, arrays);
  const CutScheme& cut = scheme.cut;
  m.courant2 = static_cast<Real>(cut.lambda * cut.lambda);
  m.viscous = m.node_viscous = static_cast<Real>(cut.viscous);
  m.gamma = static_cast<Real>(cut.gamma);
  m.lambda = cut.lambda, m.gamma_exact = cut.gamma, m.viscous_exact = cut.viscous;
  m.slow = scheme.slow, m.slow2 = scheme.slow2;
  m.damped = cut.gamma != 0 || cut.viscous != 0;
  const std::vector<FaceGroup>& groups = surface.groups();
  const FieldLayout layout = field_layout<Real>(grid.size);
  head_ = write_tables(pool, 4096, [&](TableWriter& to) {
    m.face_a = to.add(coefficients_.face_a), m.face_b = to.add(coefficients_.face_b);
    m.cell_a = to.add(coefficients_.cell_a), m.cell_b = to.add(coefficients_.cell_b);
    auto* const faces = to.reserve<FaceTable>(1);
    m.faces = to.on_device<FaceTable>();
    FaceTable table{.groups = static_cast<std::uint32_t>(groups.size())};
    table.inner = to.make<std::uint32_t>(groups.size(), [&](std::size_t i) {
      return static_cast<std::uint32_t>(layout.at(groups[i].first));
    });
    table.count = to.make<std::uint32_t>(groups.size(), [&](std::size_t i) {
      return static_cast<std::uint32_t>(groups[i].count) + (groups[i].wide ? wide_faces : 0u);
    });
    table.step = to.make<std::int32_t>(
        groups.size(), [&](std::size_t i) { return layout.step(2 * groups[i].along + 1); });
    table.outwards = to.make<std::int32_t>(groups.size(), [&](std::size_t i) {
      return groups[i].outwards * layout.step(2 * groups[i].axis + 1);
    });
    table.axis = to.make<std::int32_t>(groups.size(), [&](std::size_t i) {
      return 2 * groups[i].axis + (groups[i].outwards > 0 ? 1 : 0);
    });
    if (faces != nullptr) *faces = table;
  });
  m.groups = static_cast<std::uint32_t>(groups.size());
  rows_ = static_cast<std::uint32_t>(grid.size[1] * grid.size[2]);
  plane_blocks_ =
      blocks_for(plane_values(m), advance_threads) * static_cast<std::uint32_t>(grid.size[2]);
}

template class ChunkField<float>;
template class ChunkField<double>;

}  // namespace peal::wave::device
