#include <peal/explore/body_data.h>
#include <peal/explore/embedded_files.h>
#include <peal/explore/session.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>

namespace peal::explore {
namespace {

struct ReadData {
  nlohmann::json json;
  std::string arrays;

  template <class Number>
  std::vector<Number> array(const std::string& name) const {
    std::vector<Number> values(json[name]["count"].get<std::size_t>());
    std::memcpy(values.data(), arrays.data() + json[name]["offset"].get<std::size_t>(),
                values.size() * sizeof(Number));
    return values;
  }
};

ReadData read(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  EXPECT_EQ(length % 4, 0u) << "arrays are aligned";
  return {nlohmann::json::parse(bytes.substr(4, length)), bytes.substr(4 + length)};
}

ExploredBody tetrahedron() {
  auto model = std::make_shared<base::ModalModel>();
  model->surface.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  model->surface.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  model->modes = {{100.0, 2.0}, {250.0, 3.0}};
  model->shapes = Eigen::MatrixXf::Random(12, 2);
  model->shapes.col(1) *= 1e-4f;
  model->mass = 0.3;
  ExploredBody body{.name = "tetrahedron",
                    .mesh = std::make_shared<geometry::TriMesh>(model->surface),
                    .model = model};
  body.radiation = {{0.5, 1.0}, {{{1.0, 0.0}, {0.0, 2.0}}, {{3.0, 0.0}, {0.0, 4.0}}}, {0.5, 0.25}};
  return body;
}

TEST(BodyData, HasMeshModesAndRadiation) {
  const ReadData data = read(body_data(tetrahedron()));
  EXPECT_EQ(data.json["name"], "tetrahedron");
  EXPECT_EQ(data.json["modes"][1]["frequency_hz"], 250.0);
  EXPECT_EQ(data.json["modes"][1]["decay_per_s"], 3.0);
  EXPECT_EQ(data.json["modes"][1]["radiation_per_s"], 0.25);
  EXPECT_EQ(data.json["radiation"]["amplitudes"][1], nlohmann::json({3.0, 0.0, 0.0, 4.0}));
  EXPECT_EQ(data.array<float>("vertices")[3], 1.0f);
  EXPECT_EQ(data.array<std::uint32_t>("triangles")[1], 2u);
}

TEST(BodyData, ShapesKeepFourDigitsOfEachMode) {
  const ExploredBody body = tetrahedron();
  const ReadData data = read(body_data(body));
  const auto shapes = data.array<std::int16_t>("shapes");
  ASSERT_EQ(shapes.size(), 24u);
  for (Eigen::Index mode = 0; mode < 2; ++mode) {
    const double scale = data.json["shapes"]["scales"][static_cast<std::size_t>(mode)];
    const auto largest = static_cast<double>(body.model->shapes.col(mode).cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < 12; ++i) {
      EXPECT_NEAR(scale * shapes[static_cast<std::size_t>(12 * mode + i)],
                  static_cast<double>(body.model->shapes(i, mode)), 2e-5 * largest);
    }
  }
}

TEST(BodyData, IdealShapesAreTheirNumbers) {
  const scene::IdealBar bar{0.3, 0.03, 0.005, scene::BarEnd::clamped, scene::BarEnd::free};
  EXPECT_EQ(ideal_numbers(bar), (std::vector<double>{1, 0.3, 0.03, 0.005, 1, 0}));
  const scene::IdealMembrane membrane{geometry::Polygon{{0, 0}, {1, 0}, {0, 1}}, {}, 0.001, 20.0};
  EXPECT_EQ(ideal_numbers(membrane), (std::vector<double>{2, 2, 3, 0, 0, 1, 0, 0, 1, 0.001, 20}));
  const scene::IdealPlate plate{scene::Disc{0.2}, 0.002, {scene::PlateEdge::supported}};
  EXPECT_EQ(ideal_numbers(plate), (std::vector<double>{3, 1, 0.2, 0.002, 2, 0, 0, 0}));
}

TEST(Session, NamesBodiesAndMaterials) {
  Session session{.title = "test"};
  session.bodies.push_back(std::make_shared<const ExploredBody>(tetrahedron()));
  const auto json = nlohmann::json::parse(session_json(session, false));
  EXPECT_EQ(json["bodies"][0]["file"], "body-0.peal-body");
  EXPECT_FALSE(json["served"].get<bool>());
  EXPECT_GT(json["materials"].size(), 20u);
}

TEST(EmbeddedFiles, HoldThePage) {
  EXPECT_TRUE(embedded_file("index.html")->bytes.starts_with("<!doctype html>"));
  EXPECT_EQ(embedded_file("engine.wasm")->bytes.substr(0, 4), std::string_view("\0asm", 4));
  EXPECT_EQ(embedded_file("../index.html"), nullptr);
  EXPECT_EQ(embedded_file(""), nullptr);
  std::size_t size = 0;
  for (const EmbeddedFile& file : embedded_files()) size += file.bytes.size();
  EXPECT_LT(size, 1300000u) << "the page stays small";
}

}  // namespace
}  // namespace peal::explore
