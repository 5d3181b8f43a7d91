#include <peal/explore/body_data.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace peal::explore {

namespace {

using Json = nlohmann::ordered_json;
using geometry::Vec3;

Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json to_json(const geometry::Mat3& m) {
  Json rows = Json::array();
  for (int row = 0; row < 3; ++row) rows.push_back(to_json(Vec3(m.row(row).transpose())));
  return rows;
}

void add_mesh(const geometry::TriMesh& mesh, DataFile& arrays, Json& json) {
  std::vector<float> vertices;
  for (const Vec3& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) vertices.push_back(static_cast<float>(v[k]));
  std::vector<std::uint32_t> triangles;
  for (const geometry::Triangle& t : mesh.triangles)
    triangles.insert(triangles.end(), t.begin(), t.end());
  json["vertices"] = arrays.add(vertices);
  json["triangles"] = arrays.add(triangles);
}

/// The shapes of one mode after another, as whole multiples of a scale that makes the largest
/// 32767.
void add_shapes(const base::ModalModel& model, DataFile& arrays, Json& json) {
  std::vector<std::int16_t> values;
  values.reserve(static_cast<std::size_t>(model.shapes.size()));
  Json scales = Json::array();
  for (Eigen::Index mode = 0; mode < model.shapes.cols(); ++mode) {
    const auto largest = static_cast<double>(model.shapes.col(mode).cwiseAbs().maxCoeff());
    const double scale = largest > 0.0 ? largest / std::numeric_limits<std::int16_t>::max() : 1.0;
    scales.push_back(scale);
    for (Eigen::Index i = 0; i < model.shapes.rows(); ++i)
      values.push_back(static_cast<std::int16_t>(
          std::lround(static_cast<double>(model.shapes(i, mode)) / scale)));
  }
  json["shapes"] = arrays.add(values);
  json["shapes"]["scales"] = scales;
}

/// The decay of a mode in vacuum, and what radiation adds to it.
Json modes_json(const base::ModalModel& model, const RadiationTable& radiation) {
  Json modes = Json::array();
  for (std::size_t i = 0; i < model.modes.size(); ++i) {
    const base::Mode& mode = model.modes[i];
    modes.push_back({{"frequency_hz", mode.frequency},
                     {"decay_per_s", mode.decay_rate},
                     {"radiation_per_s", radiation.decay_rates.at(i)}});
  }
  return modes;
}

Json radiation_json(const RadiationTable& table) {
  Json amplitudes = Json::array();
  for (const auto& column : table.amplitudes) {
    Json numbers = Json::array();
    for (const std::complex<double>& one : column) {
      numbers.push_back(one.real());
      numbers.push_back(one.imag());
    }
    amplitudes.push_back(std::move(numbers));
  }
  return {{"ratios", table.ratios}, {"amplitudes", std::move(amplitudes)}};
}

/// The waves that each mode sends out (base::ModalRadiation), for unit q''.
void add_multipoles(const base::ModalRadiation& table, DataFile& arrays, Json& json) {
  std::vector<float> values;
  Json orders = Json::array();
  for (const base::ModeRadiation& mode : table.modes) {
    orders.push_back(mode.order);
    for (const base::RadiationCoefficient& one : mode.values) {
      values.push_back(one.real());
      values.push_back(one.imag());
    }
  }
  json["multipoles"] = arrays.add(values);
  json["multipoles"]["orders"] = orders;
  json["multipoles"]["centre_m"] = to_json(table.centre);
  json["multipoles"]["radius_m"] = table.radius;
}

/// The waves of a rigid body (base::RigidRadiation), frequency by frequency, in each motion by
/// motion.
void add_rigid_waves(const base::RigidRadiation& table, DataFile& arrays, Json& json) {
  std::vector<float> values;
  for (const base::RadiationCoefficient& one : table.values) {
    values.push_back(one.real());
    values.push_back(one.imag());
  }
  json["rigid_waves"] = arrays.add(values);
  json["rigid_waves"]["orders"] = table.orders;
  json["rigid_waves"]["centre_m"] = to_json(table.centre);
  json["rigid_waves"]["radius_m"] = table.radius;
  json["rigid_waves"]["spacing_hz"] = table.spacing;
  json["rigid_waves"]["max_frequency_hz"] = table.max_frequency;
}

Json click_json(const RigidClick& click) {
  return {{"mass_kg", click.mass.mass},
          {"centre_m", to_json(click.mass.centre)},
          {"inverse_inertia", to_json(geometry::Mat3(click.mass.inertia.inverse()))},
          {"axes", to_json(geometry::Mat3(click.dipole.axes.transpose()))},
          {"volumes_m3", to_json(click.dipole.volumes)},
          {"turning_m4", to_json(click.dipole.turning)}};
}

using Numbers = std::vector<double>;

Numbers joined(Numbers first, const Numbers& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// The numbers of an outline.
struct OutlineNumbers {
  Numbers operator()(const scene::Rectangle& one) const {
    return {0.0, one.size.x(), one.size.y()};
  }
  Numbers operator()(const scene::Disc& one) const { return {1.0, one.radius}; }
  Numbers operator()(const geometry::Polygon& one) const {
    Numbers numbers{2.0, static_cast<double>(one.size())};
    for (const geometry::Vec2& corner : one) numbers = joined(numbers, {corner.x(), corner.y()});
    return numbers;
  }
};

struct ShapeNumbers {
  Numbers operator()(const scene::IdealString& one) const {
    return {0.0, one.length, one.radius, one.tension};
  }
  Numbers operator()(const scene::IdealBar& one) const {
    return {1.0, one.length, one.width, one.thickness, double(one.left), double(one.right)};
  }
  Numbers operator()(const scene::IdealMembrane& one) const {
    const Numbers outline = std::visit(OutlineNumbers{}, one.outline);
    return joined(joined({2.0}, outline), {one.thickness, one.tension});
  }
  Numbers operator()(const scene::IdealPlate& one) const {
    Numbers numbers =
        joined(joined({3.0}, std::visit(OutlineNumbers{}, one.outline)), {one.thickness});
    for (const scene::PlateEdge edge : one.edges) numbers.push_back(double(edge));
    return numbers;
  }
};

}  // namespace

std::vector<double> ideal_numbers(const scene::IdealShape& shape) {
  return std::visit(ShapeNumbers{}, shape);
}

Json material_json(const scene::Material& material) {
  const base::Damping& damping = material.damping;
  Json bands = Json::array();
  for (const base::Damping::Band& band : damping.bands)
    bands.push_back({band.up_to, band.loss_factor});
  return {{"name", material.name},
          {"density", material.density},
          {"young_modulus", material.young_modulus},
          {"poisson_ratio", material.poisson_ratio},
          {"roughness_height", material.roughness.height},
          {"roughness_length", material.roughness.length},
          {"damping",
           {{"internal_friction", damping.internal_friction},
            {"bands", bands},
            {"mass", damping.mass},
            {"stiffness", damping.stiffness},
            {"inverse_stiffness", damping.inverse_stiffness},
            {"external", damping.external}}}};
}

std::string body_data(const ExploredBody& body) {
  DataFile arrays;
  Json json{{"name", body.name}, {"position", to_json(body.pose.position)}};
  const geometry::Quat& turn = body.pose.orientation;
  json["orientation"] = {turn.x(), turn.y(), turn.z(), turn.w()};
  if (!body.file.empty()) {
    json["file"] = body.file;
    json["scale"] = body.scale;
  }
  if (body.material) json["material"] = material_json(*body.material);
  json["max_frequency_hz"] = body.max_frequency;
  if (body.ideal) json["ideal"] = ideal_numbers(*body.ideal);
  if (body.strike) {
    json["strike"] = {{"at", to_json(body.strike->at)},
                      {"contact_time_s", body.strike->contact_time},
                      {"impulse_n_s", body.strike->impulse}};
  }
  if (body.model) {
    json["mass_kg"] = body.model->mass;
    json["modes"] = modes_json(*body.model, body.radiation);
    json["radiation"] = radiation_json(body.radiation);
    add_mesh(body.model->surface, arrays, json);
    add_shapes(*body.model, arrays, json);
    if (body.multipoles) add_multipoles(*body.multipoles, arrays, json);
  } else {
    add_mesh(*body.mesh, arrays, json);
  }
  if (body.click) json["click"] = click_json(*body.click);
  if (body.rigid_waves) add_rigid_waves(*body.rigid_waves, arrays, json);
  return arrays.with(json);
}

nlohmann::ordered_json DataFile::add_bytes(const void* values, std::size_t count,
                                           std::size_t size) {
  const std::size_t offset = bytes_.size();
  bytes_.append(static_cast<const char*>(values), count * size);
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  return {{"offset", offset}, {"count", count}};
}

std::string DataFile::with(const nlohmann::ordered_json& json) const {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes + text + bytes_;
}

}  // namespace peal::explore
