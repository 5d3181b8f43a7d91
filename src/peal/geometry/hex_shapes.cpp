#include <peal/geometry/hex_shapes.h>
#include <peal/geometry/shape_limits.h>

#include <stdexcept>

namespace peal::geometry {

HexMesh box_hexes(const Vec3& size, const std::array<int, 3>& divisions, int across) {
  for (int axis = 0; axis < 3; ++axis) {
    require_positive(size[axis], "a side of a box");
    if (divisions[axis] < 1) throw std::invalid_argument("a box needs a cell along each side");
  }
  // Directions of the cells: cyclic, so that they stay right-handed.
  const int r = (across + 1) % 3, s = (across + 2) % 3, t = across;
  const int stride[3] = {1, divisions[r] + 1, (divisions[r] + 1) * (divisions[s] + 1)};
  HexMesh mesh;
  for (int k = 0; k <= divisions[t]; ++k) {
    for (int j = 0; j <= divisions[s]; ++j) {
      for (int i = 0; i <= divisions[r]; ++i) {
        Vec3& p = mesh.vertices.emplace_back();
        p[r] = size[r] * (static_cast<double>(i) / divisions[r] - 0.5);
        p[s] = size[s] * (static_cast<double>(j) / divisions[s] - 0.5);
        p[t] = size[t] * (static_cast<double>(k) / divisions[t] - 0.5);
        if (i == divisions[r] || j == divisions[s] || k == divisions[t]) continue;
        Hex& hex = mesh.hexes.emplace_back();
        const int first = i * stride[0] + j * stride[1] + k * stride[2];
        for (int c = 0; c < 8; ++c) {
          hex[c] = static_cast<std::uint32_t>(first + (c & 1) + (c >> 1 & 1) * stride[1] +
                                              (c >> 2) * stride[2]);
        }
      }
    }
  }
  return mesh;
}

}  // namespace peal::geometry
