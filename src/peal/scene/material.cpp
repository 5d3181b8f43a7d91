#include <peal/scene/material.h>

#include <algorithm>
#include <array>

namespace peal::scene {

namespace {

struct Row {
  std::string_view name;
  double density;        // [kg/m^3]
  double young_modulus;  // [GPa]
  double poisson_ratio;
};

// Sources. C was read; the others are rounded values as these books commonly are quoted, not
// checked against a page:
//   C  Chadwick, Zheng & James 2012, Table 1 (its columns are E [GPa], nu, rho, whatever the heads
//      say): coin, bowl, glass pane
//   M  ASM Metals Handbook, volumes 1 and 2 (10th edition)
//   W  USDA Forest Products Laboratory, Wood Handbook (2010), chapters 4 and 5, at 12 % moisture:
//      E along the grain, nu_LR. Wood is not isotropic; these suit bars cut along the grain.
//   A  Ashby, Materials Selection in Mechanical Design (4th edition), appendix A, middle of range
//   P  Petrenko & Whitworth, Physics of Ice (1999), polycrystalline ice near -5 degrees C
//   R  Reilly & Burstein 1975, J. Biomechanics 8: human cortical bone, lengthwise; nu rounded
constexpr std::array<Row, 16> table = {{
    {"abs", 1050, 2.2, 0.39},       // A
    {"acrylic", 1190, 3.0, 0.37},   // A (PMMA)
    {"aluminium", 2700, 69, 0.33},  // M (6061)
    {"bone", 1900, 17, 0.30},       // R
    {"brass", 8530, 110, 0.34},     // M (C26000)
    {"bronze", 8800, 110, 0.34},    // M (C52100)
    {"ceramic", 2700, 72, 0.19},    // C
    {"copper", 8940, 123.4, 0.34},  // C
    {"glass", 2600, 62, 0.20},      // C
    {"ice", 917, 9.33, 0.325},      // P
    {"oak", 760, 12.3, 0.37},       // W (white oak)
    {"porcelain", 2400, 70, 0.20},  // A (technical porcelain)
    {"rubber", 930, 0.002, 0.49},   // A (natural rubber)
    {"spruce", 450, 10.8, 0.37},    // W (Sitka spruce)
    {"steel", 7850, 200, 0.30},     // M (plain carbon steel)
    {"stone", 2650, 55, 0.25},      // A (granite)
}};

}  // namespace

std::optional<Material> find_material(std::string_view name) {
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const Row& candidate) { return candidate.name == name; });
  if (row == table.end()) return {};
  return Material{
      std::string(row->name), row->density, row->young_modulus * 1e9, row->poisson_ratio, {}};
}

const std::vector<std::string>& material_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Row& row : table) list.emplace_back(row.name);
    return list;
  }();
  return names;
}

}  // namespace peal::scene
