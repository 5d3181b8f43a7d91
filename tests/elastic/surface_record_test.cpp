#include <peal/elastic/solid.h>
#include <peal/elastic/surface_record.h>
#include <peal/elastic/surface_recorder.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/util/archive.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/store.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>

#include "base/accelerations_of.h"
#include "util/store_damage.h"

namespace peal::elastic {
namespace {

using geometry::Vec3;

constexpr double record_tone = 5000.0;  // [Hz]

/// One triangle whose three vertices accelerate along y by 1, 2 and 3 times a tone, for 20 ms, and
/// that moves along x at 1 m/s.
std::shared_ptr<SurfaceRecord> moving_triangle() {
  auto record = std::make_shared<SurfaceRecord>();
  record->mesh = {.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, .triangles = {{0, 1, 2}}};
  for (int n = 0; n < 960; ++n) {
    const double phase = 2 * std::numbers::pi * record_tone * n / 48000.0;
    for (int v = 1; v <= 3; ++v) {
      for (const double value : {0.0, v * std::sin(phase), 0.0})
        record->accelerations.push_back(static_cast<float>(value));
    }
  }
  for (int shape = 0; shape < 16; ++shape) {
    for (int v = 0; v < 3; ++v) {
      for (const double value : {shape * 64 / 48000.0, 0.0, 0.0})
        record->displacements.push_back(static_cast<float>(value));
    }
  }
  return record;
}

TEST(SurfaceRecord, ASourceReadsItAtAnyMultipleOfItsRate) {
  const auto source = std::make_shared<RecordedSource>(moving_triangle());
  const std::array<base::SurfacePoint, 2> points = {
      base::SurfacePoint{.barycentric = {0.5, 0.5, 0}, .normal = Vec3::UnitY()},
      base::SurfacePoint{.barycentric = {0, 0, 1}, .normal = Vec3(0, -0.6, 0.8)}};
  for (const std::int64_t factor : {1, 3, 4}) {
    const base::Rate rate{48000 * factor};
    for (std::int64_t n = 100 * factor; n < 140 * factor; ++n) {
      const std::vector<float> heard = base::accelerations_of(source, points, {n, rate});
      const double tone = std::sin(2 * std::numbers::pi * record_tone * rate.seconds(n));
      EXPECT_NEAR(heard[0], 1.5 * tone, 1e-3) << factor << " " << n;
      EXPECT_NEAR(heard[1], -1.8 * tone, 1e-3) << factor << " " << n;
    }
  }
}

TEST(SurfaceRecord, SoundsOnlyWhereItMoves) {
  auto record = moving_triangle();
  std::fill_n(record->accelerations.begin(), 9 * 480, 0.0f);
  const auto parts = RecordedSource(record).active({96000}, {0, 96000});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(parts[0].begin), 960, 60);
  EXPECT_NEAR(static_cast<double>(parts[0].end), 1920, 60);
}

TEST(SurfaceRecord, ShapesLieOnStraightLinesBetweenTimes) {
  const auto record = moving_triangle();
  const RecordedDeformation deformation(record);
  std::array<Vec3, 3> shape;
  for (const double t : {0.0, 0.0005, 0.01}) {
    deformation.vertices(t, shape);
    EXPECT_NEAR((shape[2] - Vec3(1 + t, 0, 0)).norm(), 0.0, 1e-6) << t;
  }
  deformation.vertices(-1.0, shape);
  EXPECT_NEAR(shape[0].x(), 0.0, 1e-9);
  deformation.vertices(1.0, shape);
  EXPECT_NEAR(shape[0].x(), 15 * 64 / 48000.0, 1e-6);
  EXPECT_TRUE(record->moves_by(0.999 * 15 * 64 / 48000.0));
  EXPECT_FALSE(record->moves_by(1.001 * 15 * 64 / 48000.0));
}

TEST(SurfaceRecord, AStoreGivesBackTheSameAndADamagedEntryNothing) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("peal-record-" + std::to_string(::getpid()));
  const auto store = [&] { return util::Store(util::stored::recording, folder); };
  Recording recording;
  recording.surfaces.push_back(*moving_triangle());
  recording.paths.emplace_back().add({.position = {1, 2, 3}});
  recording.contacts.bodies = {"ball", "floor"};
  recording.contacts.records.push_back({.time = 0.5, .body_a = 1, .impulse = {0, 2, 0}});
  recording.rest_impulse = 0.25;
  recording.diagnostics = {"fine"};
  ASSERT_TRUE(store().save("key", recording));
  const auto read = store().find<Recording>("key");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->surfaces.at(0).mesh.vertices, recording.surfaces[0].mesh.vertices);
  EXPECT_EQ(read->surfaces.at(0).mesh.triangles, recording.surfaces[0].mesh.triangles);
  EXPECT_EQ(read->surfaces.at(0).accelerations, recording.surfaces[0].accelerations);
  EXPECT_EQ(read->surfaces.at(0).displacements, recording.surfaces[0].displacements);
  EXPECT_EQ(read->paths.at(0).pose(0).position, Vec3(1, 2, 3));
  EXPECT_EQ(read->contacts.bodies, recording.contacts.bodies);
  EXPECT_EQ(read->contacts.records.at(0).impulse, Vec3(0, 2, 0));
  EXPECT_EQ(read->rest_impulse, 0.25);
  EXPECT_EQ(read->diagnostics, recording.diagnostics);
  const auto file = store().file("key");
  const std::string bytes = util::read_file(file);
  const auto is_refused = [&](const std::string& damaged) {
    util::overwrite(file, damaged);
    const util::Store one = store();
    return !one.find<Recording>("key") && one.notices().size() == 1;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 97) {
    EXPECT_TRUE(is_refused(bytes.substr(0, i))) << "cut at " << i;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_TRUE(is_refused(flipped)) << "byte " << i;
  }
  std::filesystem::remove_all(folder);
}

TEST(SurfaceRecord, WhatNoSimulationRecordsIsNeitherWrittenNorRead) {
  Recording recording;
  recording.surfaces.push_back(*moving_triangle());
  recording.contacts.bodies = {"ball", "floor"};
  const auto is_refused = [](Recording wrong) {
    util::Archive written;
    try {
      serialize(written, wrong);
      return false;
    } catch (const util::InputError&) {
      return true;
    }
  };
  EXPECT_FALSE(is_refused(recording));
  Recording wrong = recording;
  wrong.surfaces[0].mesh.triangles[0][1] = 3;
  EXPECT_TRUE(is_refused(wrong)) << "a corner that is not there";
  wrong = recording;
  wrong.surfaces[0].accelerations.pop_back();
  EXPECT_TRUE(is_refused(wrong)) << "half an instant";
  wrong = recording;
  wrong.surfaces[0].displacements.clear();
  EXPECT_TRUE(is_refused(wrong)) << "no shape";
  wrong = recording;
  wrong.paths.push_back({{1.0, 2.0}});
  EXPECT_TRUE(is_refused(wrong)) << "half a pose";
  wrong = recording;
  wrong.contacts.records.push_back({.body_b = 2});
  EXPECT_TRUE(is_refused(wrong)) << "a body that is not there";
  // Before the triangles: four numbers, the vertices, and how many triangles there are.
  util::Archive written;
  serialize(written, recording);
  std::string bytes(written.written());
  bytes[4 * 8 + 9 * 8 + 8] = 3;
  util::Archive archive(bytes);
  Recording read;
  EXPECT_THROW(serialize(archive, read), util::InputError) << "a corner that is not there";
}

TEST(SurfaceRecord, IsReadVertexByVertexFromAnyInstantOn) {
  const auto record = moving_triangle();
  const RecordedSource source(record);
  EXPECT_EQ(source.vertex_rate(), record->rate);
  for (const std::int64_t first : {-20, 0, 7, 940}) {
    base::Coefficients read;
    source.coefficients(record->rate, {first, first + 40}, read);
    for (std::int64_t i = 0; i < 40; ++i) {
      const std::int64_t n = first + i;
      for (std::int64_t c = 0; c < 9; ++c) {
        const float expected = n < 0 || n >= 960 ? 0.0f : record->accelerations[n * 9 + c];
        EXPECT_EQ(read(c, i), expected) << n << " " << c;
      }
    }
  }
}

TEST(SurfaceRecord, TheHashSeesEveryVertexAndEverySampleOfTheRange) {
  const auto record = moving_triangle();
  const auto hash = [&] { return base::hash_of(RecordedSource(record), {96000}, {200, 1600}); };
  const std::string before = hash();
  for (std::int64_t n = 100; n < 800; ++n) {
    float& value = record->accelerations[n * 9 + n % 9];
    const float kept = std::exchange(value, std::nextafter(value, 9.0f));
    ASSERT_NE(before, hash()) << n;
    value = kept;
  }
  record->accelerations[9 * 900] += 1.0f;  // later than the range and its interpolation
  EXPECT_EQ(before, hash());
}

constexpr int recorded_samples = 12000;

/// What is recorded of nodes that accelerate along x and y by tones of amplitude 1, of which the
/// first instant is a crest, at so many steps a sample, if they tremble with `highest` [Hz] at
/// most.
SurfaceRecord record_of_tones(double along_x, double along_y, const RecordRate& rate, int steps,
                              double highest) {
  const Solid solid = make_hexahedral_solid(
      geometry::box_hexes({0.1, 0.1, 0.1}, {1, 1, 1}, 1),
      {.name = "steel", .density = 7850, .young_modulus = 2e11}, HexElement::incompatible);
  const double dt = rate.rate.step() / steps;
  const auto way = [](double f, double t) {
    const double w = 2 * std::numbers::pi * f;
    return 0.5 - std::cos(w * t) / (w * w);
  };
  Nodes x = solid.rest, v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x.set(i, {way(along_x, 0), way(along_y, 0), 0});
  SurfaceRecorder recorder(solid, {}, x, v, rate, steps, highest);
  for (int n = 1; n <= (recorded_samples + recorder.run_out()) * steps; ++n) {
    const geometry::Vec3 now(way(along_x, n * dt), way(along_y, n * dt), 0);
    const geometry::Vec3 before(way(along_x, (n - 1) * dt), way(along_y, (n - 1) * dt), 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x.set(i, now);
      v.set(i, (now - before) / dt);
    }
    recorder.take(x, v);
  }
  return recorder.finish(recorded_samples);
}

std::array<double, 2> recorded_tones(double along_x, double along_y, int steps, double highest,
                                     const RecordRate& rate = {{48000}}) {
  const SurfaceRecord record = record_of_tones(along_x, along_y, rate, steps, highest);
  std::array<double, 2> amplitudes;
  for (std::size_t k = 0; k < 2; ++k) {
    double square = 0.0;
    for (int n = 2000; n < recorded_samples; ++n) {
      const double a = record.accelerations[static_cast<std::size_t>(n) * record.channels() + k];
      square += a * a;
    }
    amplitudes[k] = std::sqrt(2.0 * square / (recorded_samples - 2000));
  }
  return amplitudes;
}

TEST(SurfaceRecord, TonesOfTheBandAreRecordedFlatAndWhatIsHigherVanishes) {
  constexpr double any = 1e9, below_two = 2 * 48000.0 - 20200.0, below_four = 4 * 48000.0 - 20200.0;
  for (const auto& [steps, highest] : {std::pair(4, any),
                                       {6, any},
                                       {12, any},
                                       {16, any},
                                       {4, below_two},
                                       {8, below_two},
                                       {24, below_four}}) {
    SCOPED_TRACE(std::to_string(steps) + " steps, " + std::to_string(highest) + " Hz");
    for (const double tone : {1000.0, 8000.0, 14000.0}) {
      const auto [low, middle] = recorded_tones(tone, tone + 3000.0, steps, highest);
      EXPECT_NEAR(20 * std::log10(low), 0.0, 0.05) << tone;
      EXPECT_NEAR(20 * std::log10(middle), 0.0, 0.05) << tone;
    }
    const auto [top, folds] = recorded_tones(20000.0, 30000.0, steps, highest);
    EXPECT_NEAR(20 * std::log10(top), 0.0, 0.15);
    EXPECT_LT(20 * std::log10(folds), -78.0);
    const auto [high, far] =
        recorded_tones(60000.0, highest == below_two ? 66000.0 : 80000.0, steps, highest);
    EXPECT_LT(20 * std::log10(high), -78.0);
    EXPECT_LT(20 * std::log10(far), -78.0);
  }
  // What trembles slowly has little above the band, from where a shorter filter keeps that.
  for (const double tone : {1000.0, 5000.0, 9000.0, 13000.0}) {
    const auto [low, high] = recorded_tones(tone, tone + 2000.0, 4, 7000.0);
    EXPECT_NEAR(20 * std::log10(low), 0.0, 0.05) << tone;
    EXPECT_NEAR(20 * std::log10(high), 0.0, 0.05) << tone;
  }
  const auto [top, beyond] = recorded_tones(20000.0, 30000.0, 4, 7000.0);
  EXPECT_NEAR(20 * std::log10(top), 0.0, 0.15);
  EXPECT_LT(20 * std::log10(beyond), -78.0 + 40.0 * std::log10(30.0 / 7.0));
  // Near four and eight times the rate.
  const auto [fourth, eighth] =
      recorded_tones(4 * 48000.0 - 20000.0, 8 * 48000.0 - 20000.0, 16, any);
  EXPECT_LT(20 * std::log10(fourth), -58.0);
  EXPECT_LT(20 * std::log10(eighth), -48.0);
}

TEST(SurfaceRecord, ANarrowBandAtALowRateIsAsFlatAndNothingFoldsOntoIt) {
  for (const double band : {0.25, 1.0 / 3.0, 0.42}) {
    const RecordRate rate{{24000}, band};
    const double end = band * 24000.0, fold = 24000.0 - end;
    for (const auto& [steps, highest] : {std::pair(8, 1e9),
                                         {18, 1e9},
                                         {24, 1e9},
                                         {30, 1e9},
                                         {8, 2 * 24000.0 - end - 1.0},
                                         {52, 4 * 24000.0 - end - 1.0}}) {
      SCOPED_TRACE(fmt::format("{:.2f}, {} steps, {:g} Hz", band, steps, highest));
      for (const double part : {0.1, 0.5, 0.84}) {
        const auto [low, middle] =
            recorded_tones(part * end, 0.8 * part * end, steps, highest, rate);
        EXPECT_NEAR(20 * std::log10(low), 0.0, 0.05) << part;
        EXPECT_NEAR(20 * std::log10(middle), 0.0, 0.05) << part;
      }
      // What would fold onto the end and onto the middle of the band.
      const auto [top, near] = recorded_tones(end, fold + 1.0, steps, highest, rate);
      EXPECT_NEAR(20 * std::log10(top), 0.0, 0.15);
      EXPECT_LT(20 * std::log10(near), -77.0);
      const auto [one, two] =
          recorded_tones(24000.0 - 0.4 * end, 24000.0 + 0.4 * end, steps, highest, rate);
      EXPECT_LT(20 * std::log10(one), -78.0);
      EXPECT_LT(20 * std::log10(two), -78.0);
    }
  }
}

TEST(SurfaceRecord, InstantsOfALowRateAreOnTime) {
  constexpr double tone = 3000.0;
  for (const auto& [hz, steps] :
       {std::pair(48000, 4), {24000, 8}, {24000, 52}, {16000, 18}, {12000, 16}}) {
    const auto record = record_of_tones(tone, tone, {{hz}, 0.25}, steps, 1e9);
    double along = 0.0, across = 0.0;
    for (int n = 2000; n < recorded_samples; ++n) {
      const double phase = 2 * std::numbers::pi * tone * record.rate.seconds(n);
      const double a = record.accelerations[static_cast<std::size_t>(n) * record.channels()];
      along += a * std::cos(phase);
      across += a * std::sin(phase);
    }
    EXPECT_NEAR(std::atan2(across, along) / (2 * std::numbers::pi * tone), 0.0, 1e-7) << hz;
  }
}

TEST(SurfaceRecord, ShapesComeAsOftenAtAnyRate) {
  for (const std::int64_t hz : {8000, 12000, 16000, 22050, 24000, 44100, 48000, 96000}) {
    SurfaceRecord record;
    record.rate = {hz};
    EXPECT_GT(record.shape_time(), 0.7e-3) << hz;
    EXPECT_LE(record.shape_time(), 1.5e-3) << hz;
  }
}

}  // namespace
}  // namespace peal::elastic
