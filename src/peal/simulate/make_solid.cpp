#include <peal/elastic/shell_solid.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/simulate/make_solid.h>
#include <peal/simulate/rayleigh_damping.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

namespace peal::simulate {

namespace {

using scene::Deformable;
using Elements = Deformable::Elements;

/// Elements along the longest side of a body, unless it says otherwise: the first modes of bars and
/// plates are within 0.5 %. Flat bars also need some across, or they twist too slowly (by 4 % with
/// two), as long as that does not make too many along.
constexpr double elements_along = 18.0, most_along = 60.0, elements_across = 3.0;
/// Tetrahedra along a cube of the same volume, and across the thinnest side of a body, as long as
/// they are no more than so many along the longest: first modes are within 0.5 %, those of balls
/// and blocks within 0.1 %.
constexpr double tetrahedra_along_cube = 6.0, tetrahedra_across = 4.0, most_tetrahedra = 15.0;
/// Number of elements along bars with an undercut, which bend in a part of their length.
constexpr double elements_along_undercut = 30.0;
/// And of plates with a notch or a hole: moments are singular at its corners.
constexpr double elements_along_notched = 24.0;
/// Around turned walls: 24 to a wave of their lowest mode.
constexpr int elements_around = 48;

/// Part of a body's volume that roundness may add, or straight elements leave out, without a word
/// [1].
constexpr double noticed_volume = 0.02;

/// Frequency at which Rayleigh damping equals the loss factor of a material [Hz]: such a factor
/// does not depend on frequency, but Rayleigh damping grows with it.
constexpr double loss_frequency = 1000.0;
/// The damping of shells is fitted between these frequencies [Hz].
constexpr double lowest_fitted = 100.0, highest_fitted = 16000.0;

[[noreturn]] void refuse(const scene::Object& object, const std::string& problem,
                         const std::string& hint) {
  throw util::InputError({"", object.location + ".motion.deformable"},
                         fmt::format("\"{}\" {}", object.name, problem), hint);
}

/// Elements along the longest side of a body of such sizes [m].
double chosen_along(const scene::Object& object, const geometry::Vec3& sizes) {
  const auto* extrusion = std::get_if<geometry::HexExtrusion>(&*object.hexahedra);
  if (extrusion == nullptr) return elements_along;
  if (sizes.y() > sizes.minCoeff()) return elements_along_undercut;
  return geometry::is_notched(*extrusion) ? elements_along_notched : elements_along;
}

bool is_slanted(const scene::Object& object) {
  return object.hexahedra_turn.vec() != geometry::Vec3::Zero();
}

/// Along the axes of a box, or of the body.
geometry::Vec3 sizes_of(const scene::Object& object) {
  const auto* box =
      object.hexahedra ? std::get_if<geometry::HexBoxShape>(&*object.hexahedra) : nullptr;
  if (box != nullptr && is_slanted(object)) return box->size;
  return geometry::bounds(*object.mesh).sizes();
}

double tetrahedron_size(const scene::Object& object, const geometry::Vec3& sizes) {
  const double cube = std::cbrt(std::abs(geometry::signed_volume(*object.mesh)));
  return std::max(sizes.maxCoeff() / most_tetrahedra,
                  std::min(cube / tetrahedra_along_cube, sizes.minCoeff() / tetrahedra_across));
}

double element_size(const scene::Object& object) {
  if (object.deformable()->element_size) return *object.deformable()->element_size;
  geometry::Vec3 sizes = sizes_of(object);
  if (!object.hexahedra) return tetrahedron_size(object, sizes);
  const double along = chosen_along(object, sizes);
  std::sort(sizes.begin(), sizes.end());
  const double across = std::max(sizes[1] / elements_across, sizes[0]);
  return std::min(sizes[2] / along, std::max(across, sizes[2] / most_along));
}

bool wants_hexahedra(const scene::Object& object) {
  const Elements wanted = object.deformable()->elements;
  return wanted == Elements::automatic || wanted == Elements::hexahedra;
}

/// Cells of a turned wall, as many around everywhere as where it is widest.
double wall_cells(const geometry::HexWallShape& wall, double size) {
  double radius = 0.0, length = 0.0;
  for (std::size_t i = 0; i < wall.profile.size(); ++i) {
    radius = std::max(radius, wall.profile[i].x());
    if (i > 0) length += (wall.profile[i] - wall.profile[i - 1]).norm();
  }
  const double around = 2.0 * std::numbers::pi * radius / size;
  return around * (length / size + around / 16.0);
}

/// Number of elements with edges of `size` [m]: tetrahedra that fill the object, or hexahedra.
double elements_of_size(const scene::Object& object, double size, bool is_filled) {
  const auto* wall = is_filled ? nullptr : std::get_if<geometry::HexWallShape>(&*object.hexahedra);
  if (wall != nullptr) return wall_cells(*wall, size);
  const double volume = std::abs(geometry::signed_volume(*object.mesh));
  const double each = is_filled ? 6.0 * std::numbers::sqrt2 : 1.0;
  return std::max(0.5 * geometry::surface_area(*object.mesh) / (size * size),
                  each * volume / (size * size * size));
}

/// Before hours go into a mesh that nobody can wait for.
void refuse_too_many(const scene::Object& object, bool is_filled) {
  constexpr double most = 2e6;
  const double size = element_size(object), count = elements_of_size(object, size, is_filled);
  if (object.deformable()->divisions || count <= most) return;
  refuse(
      object,
      fmt::format("would have {:.2g} elements of {:g} m; {:.0g} are the most", count, size, most),
      fmt::format("Let its \"element_size\" be {:.2g} or more.",
                  1.05 * size * std::sqrt(count / most)));
}

/// The cells of a box that says how many it has; others are as large as the body says.
geometry::HexMesh cells(const scene::Object& object, const geometry::HexShape& shape) {
  const auto& divisions = object.deformable()->divisions;
  const auto* box = std::get_if<geometry::HexBoxShape>(&shape);
  if (!divisions) {
    const bool is_chosen = !object.deformable()->element_size;
    return geometry::hexes_of(shape, element_size(object), is_chosen ? elements_around : 8);
  }
  if (box == nullptr) {
    refuse(object, "has divisions, but is no box", "Give it an \"element_size\".");
  }
  return geometry::divided_box(*box, *divisions);
}

elastic::Solid hexahedral_solid(const scene::Object& object, const geometry::HexShape& shape) {
  geometry::HexMesh mesh = cells(object, shape);
  if (is_slanted(object)) {
    for (geometry::Vec3& vertex : mesh.vertices) vertex = object.hexahedra_turn * vertex;
  }
  return elastic::make_hexahedral_solid(mesh, *object.material, elastic::HexElement::by_shape,
                                        object.name);
}

/// Hexahedra where they are asked for or can be; none if the shape has no such cells.
std::optional<elastic::Solid> with_hexahedra(const scene::Object& object) try {
  if (!wants_hexahedra(object)) return std::nullopt;
  if (!object.hexahedra) {
    if (object.deformable()->elements == Elements::automatic) return std::nullopt;
    refuse(object, "cannot be meshed with hexahedra",
           "Only boxes, extrusions and lathes with a \"wall\" have one.");
  }
  return hexahedral_solid(object, *object.hexahedra);
} catch (const std::invalid_argument& error) {
  const bool has_divisions = object.deformable()->divisions.has_value();
  if (object.deformable()->elements == Elements::automatic && !has_divisions) return std::nullopt;
  refuse(object, fmt::format("cannot be meshed with hexahedra: {}", error.what()),
         has_divisions ? "Give it other \"divisions\"." : "Let it have \"quadratic_tetrahedra\".");
}

struct FlatTet {
  double height = std::numeric_limits<double>::infinity();  ///< the least of its four [m]
  geometry::Vec3 at = geometry::Vec3::Zero();               ///< its middle [m]
};

FlatTet flattest(const geometry::TetMesh& mesh) {
  FlatTet worst;
  for (const geometry::Tet& tet : mesh.tets) {
    double largest = 0.0;  // of its faces
    geometry::Vec3 middle = geometry::Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
      const geometry::Vec3 &a = mesh.vertices[tet[k]], &b = mesh.vertices[tet[(k + 1) % 4]],
                           &c = mesh.vertices[tet[(k + 2) % 4]];
      largest = std::max(largest, 0.5 * (b - a).cross(c - a).norm());
      middle += 0.25 * a;
    }
    const double height = 3.0 * std::abs(geometry::signed_volume(mesh, tet)) / largest;
    if (height < worst.height) worst = {height, middle};
  }
  return worst;
}

/// Steps are as short as the time of sound through the flattest tetrahedron.
void check_flatness(const scene::Object& object, const geometry::TetMesh& mesh,
                    std::vector<std::string>& remarks) {
  constexpr double noticed = 1e-2, refused = 1e-3;  // heights over the size of elements
  const FlatTet worst = flattest(mesh);
  const double part = worst.height / element_size(object);
  if (part > noticed) return;
  const std::string where = fmt::format("{:.2g} m high near ({:.4g}, {:.4g}, {:.4g}) m",
                                        worst.height, worst.at.x(), worst.at.y(), worst.at.z());
  if (part < refused) {
    std::string problem = "cannot be deformable: its tetrahedra are nearly flat, " + where +
                          ", as where faces cross, nearly touch or meet at sharp angles";
    for (const std::string& remark : remarks) problem += ". " + remark;
    refuse(object, problem,
           "`peal inspect` shows where faces cross. Unite parts that do, take out narrow gaps and "
           "give sheets a thickness.");
  }
  remarks.push_back("its flattest tetrahedron is " + where + ", which makes all steps short");
}

elastic::Solid tetrahedral_solid(const scene::Object& object, int order,
                                 std::vector<std::string>& notices) {
  std::vector<std::string> remarks;
  const geometry::SolidTets tets =
      geometry::tets_of(*object.mesh, element_size(object), object.name, remarks);
  check_flatness(object, tets.mesh, remarks);
  for (const std::string& remark : remarks)
    notices.push_back(fmt::format("\"{}\": {}", object.name, remark));
  const double added = tets.round / tets.bounded, kept = geometry::volume(tets.mesh) / tets.round;
  if (std::abs(added - 1.0) > noticed_volume) {
    notices.push_back(fmt::format(
        "\"{}\": its facets are taken for a round body, which has {:.1f} % of the volume "
        "of its mesh, and of its mass; a finer mesh is closer to it",
        object.name, 100.0 * added));
  }
  if (std::abs(kept - 1.0) > noticed_volume) {
    notices.push_back(
        fmt::format("\"{}\": its tetrahedra have {:.1f} % of its volume, and of its "
                    "mass; a smaller \"element_size\" follows its surface better",
                    object.name, 100.0 * kept));
  }
  return elastic::make_tetrahedral_solid(tets.mesh, *object.material, order, object.name);
}

void mention_no_damping(const elastic::Solid& solid, std::vector<std::string>& notices) {
  if (solid.mass_damping > 0.0 || solid.stiffness_damping > 0.0) return;
  notices.push_back(
      fmt::format("\"{}\": its material has no damping, so its vibration never decays; give it "
                  "some, such as \"damping\": {{\"mass\": 2, \"stiffness\": 1e-7}}",
                  solid.name));
}

void mention_left_out(const elastic::Solid& solid, const base::Damping& damping,
                      std::vector<std::string>& notices) {
  if (damping.inverse_stiffness == 0.0) return;
  notices.push_back(fmt::format(
      "\"{}\": the damping \"inverse_stiffness\" is left out, which only modes have", solid.name));
}

/// Loss factors become stiffness damping that is right at one frequency.
void set_damping(elastic::Solid& solid, const base::Damping& damping,
                 std::vector<std::string>& notices) {
  mention_left_out(solid, damping, notices);
  base::Damping losses{.internal_friction = damping.internal_friction, .bands = damping.bands};
  const double w = 2.0 * std::numbers::pi * loss_frequency;
  solid.mass_damping = damping.mass + 2.0 * damping.external;
  solid.stiffness_damping = damping.stiffness + 2.0 * losses.decay_rate(loss_frequency) / (w * w);
  mention_no_damping(solid, notices);
}

/// Loss factors, and what the air takes, become the nearest Rayleigh damping from 100 Hz to 16 kHz.
void set_shell_damping(elastic::Solid& solid, const scene::Object& object,
                       const base::Medium& medium, std::vector<std::string>& notices) {
  const base::Damping& given = object.material->damping;
  mention_left_out(solid, given, notices);
  const base::Damping losses{.internal_friction = given.internal_friction, .bands = given.bands};
  const bool has_air = object.deformable()->air_loss;
  const auto rate = [&](double frequency) {
    return losses.decay_rate(frequency) +
           (has_air ? air_decay_rate(*object.shell, *object.material, medium, frequency) : 0.0);
  };
  const RayleighDamping fitted = fitted_damping(rate, lowest_fitted, highest_fitted);
  const RayleighDamping all{.mass = given.mass + 2.0 * given.external + fitted.mass,
                            .stiffness = given.stiffness + fitted.stiffness};
  solid.mass_damping = all.mass;
  solid.stiffness_damping = all.stiffness;
  mention_no_damping(solid, notices);
  if (all.mass == 0.0 && all.stiffness == 0.0) return;
  const auto t60 = [&](double frequency) {
    return std::log(1000.0) / std::max(all.rate(frequency), 1e-9);
  };
  notices.push_back(
      fmt::format("\"{}\": its damping{} is a mass damping of {:.3g} /s and a stiffness damping of "
                  "{:.2g} s: it "
                  "rings for {:.2g} s at 100 Hz, {:.2g} s at 1 kHz and {:.2g} s at 10 kHz (60 dB)",
                  solid.name, has_air ? ", with what the air takes," : "", all.mass, all.stiffness,
                  t60(100.0), t60(1000.0), t60(10000.0)));
}

/// Whether an object is divided into shell triangles, and why if nobody said so.
geometry::ElementChoice wall_elements(const scene::Object& object) {
  const Elements wanted = object.deformable()->elements;
  if (wanted == Elements::shells && !object.shell) {
    refuse(object, "is no thin wall that could have shell elements",
           "Give it a \"thickness\", or let \"elements\" be \"automatic\".");
  }
  const bool is_asked_for = wanted == Elements::shells;
  if (!object.shell || (wanted != Elements::automatic && !is_asked_for)) return {false, {}};
  return geometry::choose_elements(geometry::shell_form(*object.shell), is_asked_for);
}

/// Of a wall, approximately.
double expected_triangles(const scene::Object& object) {
  const geometry::TriMesh& middle = object.shell->middle;
  const auto given = static_cast<double>(middle.triangles.size());
  const auto& size = object.deformable()->element_size;
  if (!size) return given;
  return std::max(given,
                  4.0 / std::numbers::sqrt3 * geometry::surface_area(middle) / (*size * *size));
}

/// The triangles of a wall, halved where they are longer than an element shall be.
geometry::ShellMesh divided_shell(const scene::Object& object) {
  constexpr double most = 2e6;
  const double count = expected_triangles(object);
  if (count > most) {
    refuse(object, fmt::format("would have {:.2g} triangles; {:.0g} are the most", count, most),
           "Give it a larger \"element_size\".");
  }
  const auto& size = object.deformable()->element_size;
  return size ? geometry::refined_shell(*object.shell, *size) : *object.shell;
}

/// How fine the triangles are, and up to which frequency four of their edges make a bending wave.
std::string describe_triangles(const std::string& name, const geometry::ShellMesh& shell,
                               const base::Material& material) {
  const double area = geometry::surface_area(shell.middle);
  const double edge = std::sqrt(4.0 / std::numbers::sqrt3 * area /
                                static_cast<double>(shell.middle.triangles.size()));
  const double nu = material.poisson_ratio, thickness = geometry::volume(shell) / area;
  const double speed =
      thickness * std::sqrt(material.young_modulus / (12.0 * material.density * (1.0 - nu * nu)));
  const double resolved = 2.0 * std::numbers::pi * speed / std::pow(4.0 * edge, 2);
  return fmt::format(
      "\"{}\": {} shell triangles with edges of {:.2g} mm, which resolve bending waves up to "
      "{:.2g} "
      "kHz",
      name, shell.middle.triangles.size(), 1e3 * edge, 1e-3 * resolved);
}

}  // namespace

double expected_elements(const scene::Object& object) {
  if (wall_elements(object).is_shell) return expected_triangles(object);
  if (const auto& divisions = object.deformable()->divisions)
    return static_cast<double>((*divisions)[0]) * (*divisions)[1] * (*divisions)[2];
  return elements_of_size(object, element_size(object),
                          !object.hexahedra || !wants_hexahedra(object));
}

elastic::Solid make_solid(const scene::Object& object, std::vector<std::string>& notices,
                          const base::Medium& medium) try {
  const geometry::ElementChoice wall = wall_elements(object);
  if (object.shell && !wall.reason.empty())
    notices.push_back(fmt::format("\"{}\" is computed as {}", object.name, wall.reason));
  if (wall.is_shell) {
    const geometry::ShellMesh divided = divided_shell(object);
    notices.push_back(describe_triangles(object.name, divided, *object.material));
    elastic::Solid shell = elastic::make_shell_solid(divided, *object.material, object.name);
    set_shell_damping(shell, object, medium, notices);
    return shell;
  }
  refuse_too_many(object, !object.hexahedra || !wants_hexahedra(object));
  std::optional<elastic::Solid> solid = with_hexahedra(object);
  if (!solid && object.deformable()->divisions) {
    refuse(object, "has divisions, but is no box of hexahedra", "Give it an \"element_size\".");
  }
  if (!solid) {
    refuse_too_many(object, true);
    const bool is_linear = object.deformable()->elements == Elements::tetrahedra;
    solid = tetrahedral_solid(object, is_linear ? 1 : 2, notices);
  }
  set_damping(*solid, object.material->damping, notices);
  return *std::move(solid);
} catch (const util::InputError& error) {
  if (error.location().at.starts_with(object.location)) throw;
  refuse(object, "cannot be deformable: " + error.problem(), error.hint());
}

}  // namespace peal::simulate
