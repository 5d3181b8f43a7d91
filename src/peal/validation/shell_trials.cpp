#include <peal/util/random.h>
#include <peal/validation/shell_trials.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace peal::validation {

geometry::TriMesh mapped_sheet(int n, int m, Triangulation kind,
                               const std::function<Vec3(double a, double b)>& map) {
  const auto random = [](std::uint64_t stream, std::uint32_t index) {
    return 2.0 * util::random_uniform(12, stream, index) - 1.0;
  };
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i + j * (n + 1)); };
  geometry::TriMesh mesh;
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i <= n; ++i) {
      const bool is_inner = i > 0 && i < n && j > 0 && j < m;
      const double shift = kind == Triangulation::random && is_inner ? 0.25 : 0.0;
      mesh.vertices.push_back(
          map((i + shift * random(60, at(i, j))) / n, (j + shift * random(61, at(i, j))) / m));
    }
  }
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) {
      const std::uint32_t p = at(i, j), q = at(i + 1, j), r = at(i, j + 1), s = at(i + 1, j + 1);
      const bool is_turned = kind == Triangulation::alternating
                                 ? (i + j) % 2 == 1
                                 : kind == Triangulation::random && random(62, p) > 0.0;
      if (is_turned) {
        mesh.triangles.push_back({p, r, q});
        mesh.triangles.push_back({q, r, s});
      } else {
        mesh.triangles.push_back({p, s, q});
        mesh.triangles.push_back({p, r, s});
      }
    }
  }
  return mesh;
}

geometry::TriMesh round_sheet(int rings, double radius,
                              const std::function<double(double r)>& height) {
  geometry::TriMesh mesh;
  mesh.vertices.push_back({0.0, height(0.0), 0.0});
  const auto first = [](int ring) {
    return static_cast<std::uint32_t>(ring == 0 ? 0 : 1 + 3 * ring * (ring - 1));
  };
  for (int k = 1; k <= rings; ++k) {
    const double r = radius * k / rings;
    for (int i = 0; i < 6 * k; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / (6.0 * k);
      mesh.vertices.push_back({r * std::cos(angle), height(r), -r * std::sin(angle)});
    }
  }
  for (int k = 1; k <= rings; ++k) {
    const auto outer = [&](int i) { return first(k) + static_cast<std::uint32_t>(i % (6 * k)); };
    const auto inner = [&](int i) {
      return k == 1 ? 0u : first(k - 1) + static_cast<std::uint32_t>(i % (6 * (k - 1)));
    };
    for (int sector = 0; sector < 6; ++sector) {
      for (int i = 0; i < k; ++i) {
        const int o = sector * k + i, p = sector * (k - 1) + i;
        mesh.triangles.push_back({inner(p), outer(o), outer(o + 1)});
        if (i + 1 < k) mesh.triangles.push_back({inner(p), outer(o + 1), inner(p + 1)});
      }
    }
  }
  return mesh;
}

geometry::ShellMesh uniform_wall(geometry::TriMesh middle, double thickness) {
  const std::size_t n = middle.vertices.size();
  return {std::move(middle), std::vector<double>(n, thickness)};
}

double cymbal_height(double r) {
  const double bow = 0.02 * (1.0 - r * r / (0.2 * 0.2));
  const double bell = r < 0.06 ? 0.02 * std::pow(1.0 - r * r / (0.06 * 0.06), 2) : 0.0;
  return bow + bell;
}

geometry::ShellMesh trial_cymbal(int rings) {
  return uniform_wall(round_sheet(rings, 0.2, cymbal_height), 0.001);
}

base::Material trial_bronze() {
  return {.name = "bronze", .density = 8800.0, .young_modulus = 110e9, .poisson_ratio = 0.34};
}

}  // namespace peal::validation
