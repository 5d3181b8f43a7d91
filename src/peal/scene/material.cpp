#include <peal/base/orthotropy.h>
#include <peal/scene/material.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace peal::scene {

namespace {

struct Row {
  std::string_view name;
  double density;        // [kg/m^3]
  double young_modulus;  // [GPa]
  double poisson_ratio;
  double internal_friction;  // tan(phi)
  double roughness;          // root of the mean square height [um]
};

// Sources of the elastic constants. C was read; the others are rounded values as these books
// commonly are quoted, not checked against a page:
//   A  Ashby 2011 (4th edition), appendix A, middle of range
//   C  Chadwick, Zheng & James 2012, Table 1 (its columns are E [GPa], nu, rho, whatever the heads
//      say): coin, bowl, glass pane
//   H  handbook values of lead glass with about a quarter of lead oxide, middle of range
//   M  ASM Metals Handbook, volumes 1 and 2 (10th edition)
//   P  Petrenko & Whitworth 1999, polycrystalline ice near -5 degrees C
//   R  Reilly & Burstein 1975, J. Biomechanics 8: human cortical bone, lengthwise; nu rounded
//   W  USDA Forest Products Laboratory 2010, Wood Handbook, chapters 4 and 5, at 12 % moisture:
//      E along the grain, nu_LR. Wood is not isotropic; these suit bars cut along the grain, and
//      contacts have the indentation modulus across it, from the ratios below.
//
// Sources of tan(phi), second letter. It varies with frequency, temper and temperature, and real
// objects lose more where they are held and joined: all are good to a factor of two or three,
// those marked o to an order of magnitude.
//   a  Ashby 2011, the same appendix: loss coefficients, middle of range
//   c  Cremer, Heckl & Petersson 2005: bending loss factors of solids, as quoted
//   l  Lakes 2009, curves of tan(delta) over frequency, in the audio band
//   t  Haines 1979 (Catgut Acoustical Society Newsletter 31) and later measurements of tonewood:
//      tan(delta) along the grain
//   w  the quality factor of ringing wine glasses and plates, 1000 to 2000
// Krotkov & Klatzky 1995 and Wildes & Richards 1988, whom the 1998 paper follows, order materials
// by the same number: rubber, plastic, wood, then glass and metal.
//
// Roughness belongs to the finish, not to the material. These are assumptions, good to a factor of
// three: the finish that things of the material commonly have, by the ranges that are commonly
// tabulated for it (ASME B46.1: polished metal 0.1 to 0.4 um, ground 0.1 to 1.6, cast iron 6 to 25;
// glass and glazes below that, moulded plastic 0.2 to 1.6, planed and sanded wood 4 to 15).
constexpr std::array<Row, 32> table = {{
    {"abs", 1050, 2.2, 0.39, 0.02, 0.8},       // A a
    {"acrylic", 1190, 3.0, 0.37, 0.03, 0.2},   // A c (PMMA)
    {"aluminium", 2700, 69, 0.33, 1e-4, 0.8},  // M c (6061)
    {"beech", 720, 11.9, 0.37, 0.010, 8},      // W t
    {"bone", 1900, 17, 0.30, 0.02, 5},         // R l
    {"brass", 8530, 110, 0.34, 5e-4, 0.4},     // M c (C26000); the book has an upper bound, 1e-3
    {"bronze", 8800, 110, 0.34, 5e-4, 0.8},    // M o (C52100), as brass
    {"cast_iron", 7150, 110, 0.26, 1e-2, 6},   // M o (grey)
    {"ceramic", 2700, 72, 0.19, 1e-3, 0.5},    // C o
    {"concrete", 2300, 30, 0.20, 6e-3, 30},    // A c
    {"copper", 8940, 123.4, 0.34, 2e-3, 0.4},  // C c
    {"crystal", 3000, 60, 0.22, 5e-4, 0.05},   // H w
    {"glass", 2600, 62, 0.20, 1e-3, 0.05},     // C c
    {"ice", 917, 9.33, 0.325, 1e-2, 5},        // P o
    {"lead", 11340, 16, 0.44, 2e-2, 2},        // M c (pure)
    {"maple", 705, 12.6, 0.42, 0.011, 6},      // W t (sugar maple)
    {"nylon", 1140, 2.7, 0.39, 0.03, 0.8},     // A a
    {"oak", 760, 12.3, 0.37, 0.010, 10},       // W c (white oak)
    {"pet", 1380, 3.5, 0.39, 0.015, 0.2},      // A a (polyester, the film of drum heads)
    {"pine", 460, 8.9, 0.33, 0.009, 8},        // W t (ponderosa)
    {"polycarbonate", 1200, 2.3, 0.39, 0.02, 0.2},  // A a
    {"polypropylene", 900, 1.2, 0.42, 0.03, 0.8},   // A a
    {"porcelain", 2400, 70, 0.20, 1e-3, 0.3},       // A w (technical porcelain)
    {"pvc", 1400, 3.0, 0.40, 0.02, 0.8},            // A a (rigid)
    {"rosewood", 830, 14.0, 0.37, 0.005, 6},   // W t (E and density as of East Indian rosewood)
    {"rubber", 930, 0.002, 0.49, 0.1, 5},      // A o (natural rubber)
    {"silver", 10490, 76, 0.37, 2e-3, 0.2},    // M c; the book has an upper bound, 3e-3
    {"spruce", 450, 10.8, 0.37, 0.007, 8},     // W t (Sitka spruce)
    {"steel", 7850, 200, 0.30, 4e-4, 0.4},     // M c (plain carbon steel)
    {"stone", 2650, 55, 0.25, 5e-3, 3},        // A o (granite)
    {"titanium", 4510, 110, 0.34, 5e-4, 0.8},  // M o
    {"walnut", 610, 11.6, 0.49, 0.009, 7},     // W t (black walnut)
}};

/// Ratios of the elastic constants of woods at about 12 % moisture: USDA Forest Products Laboratory
/// 2010, Wood Handbook, tables 5-1 and 5-2, as commonly quoted, not checked against a page. Where
/// the tables have no value (-) another is taken: G_LT of white oak from red oak, G_RT of oak and
/// maple as 0.02 E_L, between those of yellow birch, walnut and sweetgum. E_L is 1.1 times the
/// modulus of bending tests, which the book advises for the shear in them. Beech and rosewood,
/// which the tables do not have, are pressed in as maple is, relative to E.
struct WoodRow {
  std::string_view name;
  std::array<double, 2> young;    // E_R, E_T over E_L
  std::array<double, 3> shear;    // G_LR, G_LT, G_RT over E_L
  std::array<double, 3> poisson;  // nu_LR, nu_LT, nu_RT
};
constexpr double bending_to_axial = 1.1;
constexpr WoodRow woods[] = {
    {"maple", {0.132, 0.065}, {0.111, 0.063, 0.020}, {0.424, 0.476, 0.774}},   // sugar maple
    {"oak", {0.163, 0.072}, {0.086, 0.081, 0.020}, {0.369, 0.428, 0.618}},     // white oak
    {"pine", {0.122, 0.083}, {0.138, 0.115, 0.017}, {0.337, 0.400, 0.426}},    // ponderosa
    {"spruce", {0.078, 0.043}, {0.064, 0.061, 0.003}, {0.372, 0.467, 0.435}},  // Sitka spruce
    {"walnut", {0.106, 0.056}, {0.085, 0.062, 0.021}, {0.495, 0.632, 0.718}},  // black walnut
};

base::Orthotropy orthotropy_of(const WoodRow& wood, double young_modulus) {
  const double along = bending_to_axial * young_modulus;
  base::Orthotropy result{.young_moduli = {along, wood.young[0] * along, wood.young[1] * along},
                          .poisson_ratios = wood.poisson};
  for (std::size_t i = 0; i < 3; ++i) result.shear_moduli[i] = wood.shear[i] * along;
  return result;
}

const WoodRow* wood_row(std::string_view name) {
  const auto* const row = std::ranges::find(woods, name, &WoodRow::name);
  return row != std::end(woods) ? row : nullptr;
}

/// Everyday names, and spellings, of materials of the table. A name of a whole class is its most
/// common member: wood that rings is a hardwood, moulded plastic is ABS.
struct Alias {
  std::string_view name, material;
};
constexpr Alias aliases[] = {
    {"aluminum", "aluminium"},    {"china", "porcelain"},
    {"earthenware", "ceramic"},   {"granite", "stone"},
    {"hardwood", "oak"},          {"iron", "cast_iron"},
    {"marble", "stone"},          {"metal", "steel"},
    {"perspex", "acrylic"},       {"plastic", "abs"},
    {"plexiglass", "acrylic"},    {"pmma", "acrylic"},
    {"pottery", "ceramic"},       {"rock", "stone"},
    {"softwood", "pine"},         {"stainless", "steel"},
    {"stainless_steel", "steel"}, {"stoneware", "ceramic"},
    {"timber", "pine"},           {"wood", "oak"},
};

/// Lower case, with one underscore in place of other signs, without them at the ends.
std::string normalised(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    if (std::isalpha(static_cast<unsigned char>(letter)) || (letter & 0x80) != 0) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

const Row* row_of(std::string_view name) {
  const auto* const alias = std::ranges::find(aliases, name, &Alias::name);
  if (alias != std::end(aliases)) name = alias->material;
  const auto* const row = std::ranges::find(table, name, &Row::name);
  return row != table.end() ? row : nullptr;
}

Material material_of(const Row& row) {
  Material material{.name = std::string(row.name),
                    .density = row.density,
                    .young_modulus = row.young_modulus * 1e9,
                    .poisson_ratio = row.poisson_ratio,
                    .damping = {.internal_friction = row.internal_friction},
                    .roughness = {.height = row.roughness * 1e-6}};
  const bool is_like_maple = row.name == "beech" || row.name == "rosewood";
  if (const WoodRow* const wood = wood_row(is_like_maple ? "maple" : row.name))
    material.relative_indentation =
        relative_indentation(orthotropy_of(*wood, material.young_modulus), material);
  return material;
}

}  // namespace

std::optional<Material> find_material(std::string_view name) {
  const Row* const row = row_of(normalised(name));
  return row != nullptr ? std::optional(material_of(*row)) : std::nullopt;
}

std::optional<base::Orthotropy> find_orthotropy(const Material& material) {
  const WoodRow* const wood = wood_row(material.name);
  if (wood == nullptr) return {};
  return orthotropy_of(*wood, material.young_modulus);
}

double relative_indentation(const base::Orthotropy& orthotropy, const Material& material) {
  const double nu = material.poisson_ratio;
  return base::indentation_modulus(orthotropy) * (1.0 - nu * nu) / material.young_modulus;
}

std::optional<Material> recognised_material(std::string_view label) {
  const std::string words = normalised(label) + "_";
  const Row* row = row_of(std::string_view(words).substr(0, words.size() - 1));
  if (row != nullptr) return material_of(*row);
  for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end + 1) {
    end = words.find('_', begin);
    const Row* const next = row_of(std::string_view(words).substr(begin, end - begin));
    if (next == nullptr) continue;
    if (row != nullptr && row != next) return std::nullopt;
    row = next;
  }
  return row != nullptr ? std::optional(material_of(*row)) : std::nullopt;
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
