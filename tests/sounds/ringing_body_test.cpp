#include <peal/base/modes_file.h>
#include <peal/geometry/io/write_mesh.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/render/cost.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "util/store_damage.h"

namespace peal::sounds {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A steel bar of 200 x 30 x 10 mm as a mesh of 12 triangles (reference S19: 1286.7 Hz), hung in
/// the air and struck at its end.
class RingingMesh : public testing::Test {
 protected:
  RingingMesh() {
    std::filesystem::create_directories(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    geometry::write_mesh(folder_ / "bar.obj", geometry::box_mesh({0.2, 0.01, 0.03}, 1));
  }
  ~RingingMesh() override { std::filesystem::remove_all(folder_); }

  json struck_bar(double max_frequency) const {
    const json strike = {{"t", 0.0},
                         {"at", {0.099, 0.005, 0.0}},
                         {"force", {{"impulse", 0.01}, {"contact_time", 2e-4}}}};
    const json bar = {{"name", "bar"},
                      {"mesh", "bar.obj"},
                      {"material", "steel"},
                      {"sound", {{{"modal", {{"max_frequency", max_frequency}}}}}},
                      {"strikes", {strike}}};
    return {{"peal", 1},
            {"duration", 0.2},
            {"objects", {bar}},
            {"listeners", {{{"mono", {{"position", {0.05, 0.4, 0.0}}}}}}}};
  }
  render::Sound sound_of(const json& text, bool strict = false) const {
    util::Silent silent;
    return render::render(scene::parse_scene(text.dump(), "bar", folder_), silent,
                          {.strict = strict});
  }
  static double partial(const render::Sound& sound, double near) {
    const auto heard = util::as_double(sound.listeners.at(0).audio.channels.at(0));
    return util::find_mode(std::span(heard).subspan(480), 48000, near, 0.03 * near).frequency;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("peal-ringing-" + std::to_string(::getpid()));
};

// What `peal inspect` shows must not take as long as a render.
TEST_F(RingingMesh, APreviewUsesKnownModesAndFindsNone) {
  const auto scene = scene::parse_scene(struck_bar(3000).dump(), "bar", folder_);
  const auto unknown = HasSubstr("modes up to 3000 Hz are computed");
  EXPECT_THAT(render::Preview(scene).notices(), testing::Contains(unknown));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "peal" / "modes"));
  sound_of(struck_bar(3000));
  EXPECT_THAT(render::Preview(scene).notices(), testing::Not(testing::Contains(unknown)));
}

TEST_F(RingingMesh, DamagedModesAreToldOfOnceAndFoundAgain) {
  const json scene = struck_bar(3000);
  const auto heard = [](const render::Sound& sound) {
    return sound.listeners.at(0).audio.channels.at(0);
  };
  const render::Sound first = sound_of(scene);
  const auto is_reported = HasSubstr("it is recomputed");
  const auto files = util::files_with_ending(folder_, ".solid-modes");
  ASSERT_EQ(files.size(), 1u);
  util::flip_byte(files[0], 0.5);
  const auto preview = render::Preview(scene::parse_scene(scene.dump(), "bar", folder_)).notices();
  EXPECT_THAT(preview, testing::Contains(is_reported).Times(1));
  EXPECT_THAT(preview, testing::Contains(
                           HasSubstr("are computed (finite elements) and cached on first render")));
  const render::Sound again = sound_of(scene);
  EXPECT_EQ(heard(again), heard(first));
  EXPECT_THAT(again.notices, testing::Contains(is_reported).Times(1));
  const render::Sound third = sound_of(scene);
  EXPECT_EQ(heard(third), heard(first));
  EXPECT_THAT(third.notices, testing::Not(testing::Contains(is_reported)));
}

TEST_F(RingingMesh, AMeshRingsAtItsOwnFrequencies) {
  const render::Sound sound = sound_of(struck_bar(4000));
  EXPECT_NEAR(partial(sound, 1290), 1286.7, 0.005 * 1286.7);
  EXPECT_NEAR(partial(sound, 3490), 3495.0, 0.005 * 3495.0);
}

TEST_F(RingingMesh, WavesCarryTheSamePartialsAsTheDirectWay) {
  json scene = struck_bar(4000);
  scene["radiation"] = {{"model", "wave"}, {"max_frequency", 4000}};
  const render::Sound sound = sound_of(scene);
  EXPECT_NEAR(partial(sound, 1290), 1286.7, 0.005 * 1286.7);
  // A bar radiates its first mode as a short circuit of front and back: far below the direct
  // model's level, but not silent.
  const auto heard = util::as_double(sound.listeners.at(0).audio.channels.at(0));
  EXPECT_GT(util::rms(heard), 1e-4);
  EXPECT_LT(util::rms(heard), 1.0);
}

TEST_F(RingingMesh, AModesFileSoundsAsTheBodyOfWhichItTells) {
  const json from_mesh = struck_bar(4000);
  const auto parsed = scene::parse_scene(from_mesh.dump(), "bar", folder_);
  util::Silent silent;
  std::vector<std::string> notices;
  const scene::Object& bar = parsed.objects.front();
  const RingingBody ringing =
      make_ringing_body(bar, (*scene::settings_of<sounds::ModalSound>(*bar.sounds.front())),
                        parsed.medium, silent, notices);
  base::write_modes(folder_ / "bar.modes", *ringing.in_vacuum);
  json from_file = from_mesh;
  from_file["objects"][0]["mesh"] = "bar.modes";
  from_file["objects"][0].erase("material");
  const render::Sound expected = sound_of(from_mesh), sound = sound_of(from_file);
  const auto& a = expected.listeners.at(0).audio.channels.at(0);
  const auto& b = sound.listeners.at(0).audio.channels.at(0);
  ASSERT_EQ(a.size(), b.size());
  // The nodes of the elements lie a little off the twelve triangles of the mesh.
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-3);

  // Fewer modes are those of a lower band.
  from_file["objects"][0]["sound"] = {{{"modal", {{"max_frequency", 2000}}}}};
  EXPECT_NEAR(partial(sound_of(from_file), 1290), 1286.7, 0.005 * 1286.7);

  from_file["objects"][0]["scale"] = 2;
  try {
    sound_of(from_file);
    FAIL() << "it was scaled";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("scale"));
  }
}

TEST_F(RingingMesh, ASurfaceThatBoundsNoSolidIsNamedWithItsObject) {
  geometry::TriMesh open = geometry::box_mesh({0.2, 0.01, 0.03}, 1);
  open.triangles.resize(6);
  geometry::write_mesh(folder_ / "bar.obj", open);
  EXPECT_THAT(sound_of(struck_bar(4000)).notices,
              testing::Contains(testing::AllOf(HasSubstr("\"bar\" has no modes"),
                                               HasSubstr("so it does not ring"))));
  try {
    sound_of(struck_bar(4000), true);
    FAIL() << "an open surface rang";
  } catch (const util::InputError& error) {
    EXPECT_EQ(error.location().at, "objects[0].sound");
    EXPECT_THAT(error.problem(), HasSubstr("\"bar\" has no modes"));
  }
}

TEST(OnSurface, AFinerMeshMovesAsTheNearestPoints) {
  auto model = std::make_shared<base::ModalModel>();
  model->surface = geometry::box_mesh({2, 2, 2}, 2);
  model->modes = {{100.0, 1.0, 0.0}};
  model->shapes.resize(3 * static_cast<Eigen::Index>(model->surface.vertices.size()), 1);
  for (std::size_t v = 0; v < model->surface.vertices.size(); ++v) {
    model->shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), 0) =
        (2.0 * model->surface.vertices[v]).cast<float>();
  }
  EXPECT_EQ(on_surface(model, model->surface), model);
  const geometry::TriMesh fine = geometry::box_mesh({2, 2, 2}, 0.5);
  const auto moved = on_surface(model, fine);
  for (std::size_t v = 0; v < fine.vertices.size(); ++v) {
    const Eigen::Vector3f shape = moved->shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), 0);
    EXPECT_LT((shape.cast<double>() - 2.0 * fine.vertices[v]).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace peal::sounds
