#include <peal/dynamics/rigid_world.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/scene/recognise.h>
#include <peal/util/error.h>
#include <peal/util/store.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>
#include <vector>

#include "util/store_damage.h"

namespace peal::dynamics {
namespace {

using geometry::TriMesh;

RigidBodySettings ground(double friction, double restitution) {
  return {.name = "floor",
          .shape = scene::FloorShape{},
          .friction = friction,
          .restitution = restitution,
          .motion = std::make_shared<base::Resting>()};
}

RigidBodySettings of_mesh(const TriMesh& mesh, double friction, double restitution) {
  RigidBodySettings body{.name = "thing",
                         .shape = scene::MeshShape{std::make_shared<TriMesh>(mesh), 3e-4},
                         .friction = friction,
                         .restitution = restitution};
  body.mass = geometry::mass_properties(mesh, 2500.0);
  return body;
}

std::vector<base::ContactRecord> impacts(const RigidWorld& world) {
  std::vector<base::ContactRecord> result;
  for (const base::ContactRecord& record : world.log().records) {
    if (record.duration == 0.0) result.push_back(record);
  }
  return result;
}

const TriMesh& coarse_sphere() {
  static const TriMesh mesh = geometry::sphere_mesh(0.02, 0.004);
  return mesh;
}

// Facets of 4 mm lie up to 0.1 mm below the sphere that they stand for.
TEST(MeshShapeAnalytic, AMeshOfASphereIsRoundToAMicrometre) {
  const auto shape =
      make_smooth_shape(scene::MeshShape{std::make_shared<TriMesh>(coarse_sphere()), 3e-4});
  for (int i = 0; i < 2000; ++i) {
    const double z = 1.0 - 2.0 * (i + 0.5) / 2000.0, around = 2.399963 * i;
    const double r = std::sqrt(1.0 - z * z);
    const Vec3 out(r * std::cos(around), r * std::sin(around), z);
    Vec3 normal;
    EXPECT_NEAR(shape->distance(0.02 * out, normal), 0.0, 1e-6);
    EXPECT_LT((normal - out).norm(), 1e-3);
    EXPECT_NEAR(shape->distance(0.021 * out, normal), 0.001, 1e-6);
    EXPECT_LE(shape->distance(0.1 * out, normal), 0.08 + 1e-4);
  }
}

struct Same {
  TriMesh mesh;
  scene::CollisionShape exact;
};

TEST(MeshShapeAnalytic, BouncesAreThoseOfTheExactShape) {
  const std::vector<Same> pairs = {
      {coarse_sphere(), scene::BallShape{0.02}},
      {geometry::box_mesh({0.02, 0.03, 0.04}, 0.01), scene::BoxShape{{0.02, 0.03, 0.04}, 3e-4}},
      {geometry::cylinder_mesh(0.012, 0.002, 0.002),
       scene::TurnedShape{{{0, -1e-3}, {0.012, -1e-3}, {0.012, 1e-3}, {0, 1e-3}}, 3e-4}}};
  for (const Same& pair : pairs) {
    RigidBodySettings body = of_mesh(pair.mesh, 0.3, 0.6);
    body.pose.position = {0, 0.2, 0};
    body.pose.orientation = Quat(1, 0.3, -0.2, 0.5).normalized();
    body.angular_velocity = {3, -7, 11};
    RigidWorld world({ground(0.3, 0.6), body}, {});
    body.shape = pair.exact;
    RigidWorld exact({ground(0.3, 0.6), body}, {});
    const double energy = world.energy();
    while (world.time() < 0.65) {
      world.step();
      exact.step();
      EXPECT_LE(world.energy(), energy * (1.0 + 1e-6));
    }
    const auto found = impacts(world), right = impacts(exact);
    ASSERT_GE(found.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found[i].time, right[i].time, 1e-5);
      EXPECT_NEAR(found[i].impulse.norm() / right[i].impulse.norm(), 1.0, 1e-4);
    }
  }
}

// Bullet's facets gave forces that varied by two to seven times the weight.
TEST(MeshShape, AMeshOfASphereRollsWithoutRattling) {
  RigidBodySettings body = of_mesh(coarse_sphere(), 0.5, 0.0);
  const double r = 0.02, weight = body.mass.mass * 9.81;
  body.pose.position = {0, r + 1e-6, 0};
  body.velocity = {0.5, 0, 0.1};
  body.angular_velocity = {0.1 / r, 0, -0.5 / r};
  RigidWorld world({ground(0.5, 0.0), body}, {});
  while (world.time() < 0.05) world.step();
  std::size_t seen = world.log().records.size();
  double sum = 0.0, squares = 0.0;
  int steps = 0;
  for (; world.time() < 0.4; ++steps) {
    world.step();
    double force = 0.0;
    for (; seen < world.log().records.size(); ++seen) {
      const base::ContactRecord& record = world.log().records[seen];
      force += 6000.0 * record.impulse.dot(record.normal) / weight;
    }
    sum += force / 2100.0;
    squares += force * force / 2100.0;
  }
  EXPECT_NEAR(steps, 2100, 1);
  EXPECT_NEAR(sum, 1.0, 1e-3);
  EXPECT_LT(std::sqrt(std::max(0.0, squares - sum * sum)), 0.02);
  EXPECT_TRUE(impacts(world).empty());
  EXPECT_NEAR(world.state(1).velocity.norm(), std::hypot(0.5, 0.1), 1e-3);
}

/// A gutter along Z, 6 cm wide inside and 3 cm deep, its floor at y = 0; or half of a pipe of 25
/// mm.
RigidBodySettings gutter(bool is_round) {
  geometry::Polygon outline = {{-0.038, -0.008}, {0.038, -0.008}, {0.038, 0.03}};
  if (is_round) {
    for (int i = 0; i <= 16; ++i) {
      const double a = std::numbers::pi * i / 16;
      outline.push_back({0.025 * std::cos(a), 0.03 - 0.025 * std::sin(a)});
    }
  } else {
    outline.insert(outline.end(), {{0.03, 0.03}, {0.03, 0}, {-0.03, 0}, {-0.03, 0.03}});
  }
  outline.push_back({-0.038, 0.03});
  const base::Pose pose{.orientation =
                            Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX()))};
  // From the plane of x and z to that of x and y.
  for (geometry::Vec2& corner : outline) corner.y() = -corner.y();
  return {.name = "gutter",
          .shape =
              scene::MeshShape{
                  std::make_shared<TriMesh>(geometry::extruded_mesh(outline, {}, 0.4, 0.01)), 3e-4},
          .friction = 0.3,
          .restitution = 0.5,
          .motion = std::make_shared<base::Resting>(pose)};
}

RigidBodySettings marble(const Vec3& at, const Vec3& velocity) {
  const double r = 0.008, m = 0.005;
  RigidBodySettings body{
      .name = "marble",
      .shape = scene::BallShape{r},
      .friction = 0.3,
      .restitution = 0.5,
      .mass = {.mass = m, .inertia = 0.4 * m * r * r * geometry::Mat3::Identity()}};
  body.pose.position = at;
  body.velocity = velocity;
  body.angular_velocity = Vec3::UnitY().cross(velocity) / r;  // it rolls
  return body;
}

/// Of the same section as the gutter.
RigidBodySettings round_pan() {
  RigidBodySettings pan = gutter(false);
  pan.shape = scene::TurnedShape{
      {{0, -0.008}, {0.038, -0.008}, {0.038, 0.03}, {0.03, 0.03}, {0.03, 0}, {0, 0}}, 3e-4};
  pan.motion = std::make_shared<base::Resting>();
  return pan;
}

class Walls : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(MeshShapeAnalytic, Walls, testing::Bool());

// Its middle is as far from the wall as from the floor when it meets the wall.
TEST_P(Walls, AreMetByAMarbleThatRollsOnTheFloor) {
  RigidWorld world({GetParam() ? round_pan() : gutter(false), marble({0, 0.008, 0}, {0.22, 0, 0})},
                   {});
  while (world.time() < 0.099) {
    world.step();
    ASSERT_NEAR(world.pose(1).position.y(), 0.008, 1e-7) << world.time();
  }
  EXPECT_TRUE(impacts(world).empty());
  while (world.time() < 0.101) world.step();
  const auto blow = impacts(world);
  ASSERT_GE(blow.size(), 1u);
  EXPECT_NEAR(blow[0].time, 0.1, 1e-6);
  EXPECT_NEAR(blow[0].normal.x(), 1.0, 1e-9);  // out of the marble, the second
  EXPECT_NEAR(blow[0].normal.dot(blow[0].impulse), 0.005 * 1.5 * 0.22, 1e-8);
  // The spin against the wall lifts it, or it goes on as it was.
  while (world.time() < 0.15) world.step();
  EXPECT_GT(world.pose(1).position.y(), 0.008 - 1e-7);
  EXPECT_LT(world.pose(1).position.x(), 0.022);
}

TEST(MeshShape, AMarbleRunsDownAPipeWithoutRattling) {
  // From side to side and along: over all of its 16 facets.
  const double a = 0.6;
  const Vec3 out(std::sin(a), -std::cos(a), 0.0), velocity(0, 0, 0.5);
  RigidBodySettings ball = marble(Vec3(0, 0.03, -0.15) + 0.017 * out, velocity);
  ball.angular_velocity = -out.cross(velocity) / 0.008;
  RigidWorld world({gutter(true), ball}, {});
  const double energy = world.energy();
  double off = 0.0;
  for (int i = 0; world.time() < 0.5; ++i) {
    world.step();
    const Vec3& at = world.pose(1).position;
    off = std::max(off, std::abs(std::hypot(at.x(), at.y() - 0.03) - 0.017));
  }
  EXPECT_LT(off, 1e-6);
  EXPECT_TRUE(impacts(world).empty());
  EXPECT_NEAR(world.energy(), energy, 1e-4 * world.energy());
  // Normal forces follow m (g cos + v^2 / r): from step to step they change little.
  double last = 0.0, rough = 0.0, mean = 0.0;
  for (const base::ContactRecord& record : world.log().records) {
    const double push = std::abs(record.normal.dot(record.impulse)) / record.duration;
    if (last > 0.0) rough += (push - last) * (push - last);
    mean += push;
    last = push;
  }
  const auto count = static_cast<double>(world.log().records.size());
  EXPECT_LT(std::sqrt(rough / count) / (mean / count), 0.02);
}

// On the outside, farther away than its lattice reaches.
TEST(MeshShapeAnalytic, AMarbleLiesOnTheRimOfAGutter) {
  RigidWorld world({gutter(false), marble({0.034, 0.0381, 0}, Vec3::Zero())}, {});
  while (world.time() < 0.2) world.step();
  EXPECT_NEAR(world.pose(1).position.y(), 0.038, 1e-6);
}

TEST(MeshShape, HollowAndBranchedBodiesHoldWhatLiesInThem) {
  // A ring hangs on a bar that goes through it: it swings, and stays there.
  RigidBodySettings ring = of_mesh(geometry::torus_mesh(0.015, 0.003, 0.003), 0.3, 0.2);
  ring.pose.orientation = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX()));
  ring.pose.position = {0, -0.006, 0.002};
  RigidBodySettings bar{.name = "bar",
                        .shape = scene::BoxShape{{0.008, 0.008, 0.2}, 2e-3},
                        .friction = 0.3,
                        .restitution = 0.2,
                        .motion = std::make_shared<base::Resting>()};
  RigidWorld world({bar, ring}, {.step = 1.0 / 3000});
  const double energy = world.energy();
  while (world.time() < 1.0) {
    world.step();
    EXPECT_LE(world.energy(), energy + 1e-3 * std::abs(energy));
  }
  EXPECT_NEAR(world.pose(1).position.y(), 0.004 - 0.012, 1e-3);
  EXPECT_LT(world.state(1).velocity.norm(), 0.05);
}

// Its faces have round borders: none of its points is a corner.
TEST(MeshShapeSlow, ABoxWithBevelsComesToRestOnAFace) {
  RigidBodySettings box =
      of_mesh(geometry::rounded_box_mesh({0.02, 0.016, 0.024}, 0.002, 0.001), 0.4, 0.5);
  box.pose.position = {0, 0.05, 0};
  box.pose.orientation = Quat(1, 0.3, -0.2, 0.5).normalized();
  RigidWorld world({ground(0.4, 0.5), box}, {.step = 1.0 / 3000});
  const double energy = world.energy();
  while (world.time() < 1.0) {
    world.step();
    EXPECT_LE(world.energy(), energy * (1.0 + 1e-6));
  }
  const std::size_t records = world.log().records.size();
  while (world.time() < 1.5) world.step();
  EXPECT_EQ(world.log().records.size(), records);
  EXPECT_NEAR(world.pose(1).position.y(), 0.008, 1e-5);
}

/// 50 mm of an L of 30 mm, 4 mm thick.
TriMesh angle_profile() {
  return geometry::extruded_mesh(
      {{0, 0}, {0.03, 0}, {0.03, 0.004}, {0.004, 0.004}, {0.004, 0.03}, {0, 0.03}}, {}, 0.05,
      0.004);
}

// Taken as any mesh: a ring whose round face bulges beyond its vertices, and prisms, whose faces
// and edges a mesh has exactly. What comes to rest is silent.
TEST(MeshShape, RingsAndPrismsComeToRestInSilence) {
  geometry::Polygon hexagon;
  for (int i = 0; i < 6; ++i)
    hexagon.emplace_back(0.012 * std::cos(i * std::numbers::pi / 3.0),
                         0.012 * std::sin(i * std::numbers::pi / 3.0));
  const std::vector<std::pair<const char*, TriMesh>> bodies = {
      {"ring", geometry::torus_mesh(0.03, 0.008, 0.004)},
      {"L profile", angle_profile()},
      {"prism", geometry::extruded_mesh(hexagon, {}, 0.03, 0.005)}};
  for (const auto& [name, mesh] : bodies) {
    RigidBodySettings body = of_mesh(mesh, 0.4, 0.4);
    body.pose.position = {0, 0.08, 0};
    body.pose.orientation = Quat(1, 0.3, -0.2, 0.5).normalized();
    RigidWorld world({ground(0.4, 0.4), body}, {});
    double energy = world.energy();
    while (world.time() < 0.7) {
      world.step();
      EXPECT_LE(world.energy(), energy * (1.0 + 1e-3)) << name;
      energy = world.energy();
    }
    const std::size_t records = world.log().records.size();
    while (world.time() < 1.5) world.step();
    EXPECT_EQ(world.log().records.size(), records) << name;
    EXPECT_EQ(world.state(1).velocity.norm(), 0.0) << name << " sleeps";
  }
}

TEST(MeshShape, APrismSlidesAsEvenlyAsItsFaceIsFlat) {
  RigidBodySettings body = of_mesh(angle_profile(), 0.2, 0.3);
  // On the outside of one leg.
  body.pose.orientation = Quat(Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vec3::UnitX()));
  body.velocity = {1.0, 0, 0};
  RigidWorld world({ground(0.2, 0.3), body}, {});
  while (world.time() < 0.3) world.step();
  // mu g t is what friction takes, and nothing bounces.
  EXPECT_NEAR(world.state(1).velocity.x(), 1.0 - 0.2 * 9.81 * 0.3, 0.02);
  EXPECT_TRUE(impacts(world).empty());
}

// Where its axis lies in its frame does not matter; and what rolls on a rim or a tube gives no
// impacts, however far the point of contact moves in a step.
TEST(MeshShape, MeshesOfSolidsOfRevolutionRollOnTrueCircles) {
  const Quat tilt = Quat(1, 0.4, 0.1, -0.3).normalized();
  for (const TriMesh& upright :
       {geometry::cylinder_mesh(0.012, 0.002, 0.002), geometry::torus_mesh(0.03, 0.008, 0.004)}) {
    std::vector<std::vector<base::ContactRecord>> found;
    for (const Quat& turn : {Quat::Identity(), tilt}) {
      TriMesh mesh = upright;
      for (Vec3& v : mesh.vertices) v = turn * v + Vec3(0, 0.01, 0);
      RigidBodySettings body = of_mesh(mesh, 0.4, 0.4);
      auto shape = scene::recognised_turned(mesh);
      ASSERT_TRUE(shape);
      EXPECT_LT((shape->centre - Vec3(0, 0.01, 0)).norm(), 1e-9);
      shape->fillet = 3e-4;
      body.shape = *shape;
      const Quat fallen = Quat(1, 0.3, -0.2, 0.5).normalized();
      body.pose.orientation = fallen * turn.conjugate();
      body.pose.position = Vec3(0, 0.1, 0) - body.pose.orientation * Vec3(0, 0.01, 0);
      RigidWorld world({ground(0.4, 0.4), body}, {});
      const double energy = world.energy();
      while (world.time() < 0.5) world.step();
      found.push_back(impacts(world));
      while (world.time() < 1.0) world.step();
      EXPECT_EQ(impacts(world).size(), found.back().size()) << "it rolls";
      EXPECT_LT(world.energy(), energy);
    }
    ASSERT_GE(found[0].size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found[0][i].time, found[1][i].time, 1e-7);
      EXPECT_NEAR(found[0][i].impulse.norm() / found[1][i].impulse.norm(), 1.0, 1e-5);
    }
  }
}

TEST(MeshShape, TheSameBodiesFallTheSameWay) {
  const auto fallen = [] {
    std::vector<RigidBodySettings> bodies = {ground(0.4, 0.5)};
    const RigidBodySettings one = of_mesh(coarse_sphere(), 0.4, 0.5);
    for (int i = 0; i < 6; ++i) {
      bodies.push_back(one);
      bodies.back().pose.position = {0.002 * i, 0.03 + 0.05 * i, 0.003 * (i % 2)};
    }
    RigidWorld world(bodies, {.step = 1.0 / 3000});
    while (world.time() < 0.25) world.step();
    std::vector<double> numbers;
    for (const base::ContactRecord& record : world.log().records) {
      numbers.insert(numbers.end(), {record.time, record.impulse.y(), record.point.x()});
    }
    return numbers;
  };
  const auto first = fallen();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(fallen(), first);
}

TEST(MeshShape, SaysWhyAMeshCannotCollide) {
  const auto complaint = [](const TriMesh& mesh) {
    RigidBodySettings body = of_mesh(coarse_sphere(), 0.3, 0.5);
    body.shape = scene::MeshShape{std::make_shared<TriMesh>(mesh), 3e-4};
    try {
      RigidWorld world({body}, {});
      return std::string();
    } catch (const util::InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(complaint(geometry::disc_mesh(0.1, 0.02)),
              testing::HasSubstr("\"thing\" cannot collide: its mesh is open"));
  TriMesh inward = coarse_sphere();
  for (auto& triangle : inward.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_THAT(complaint(inward), testing::HasSubstr("its faces point inward"));
  EXPECT_THAT(complaint(geometry::lathe_mesh({{0.001, 0}, {0.05, 0}, {0.05, 0.1}}, 2e-4, 0.01)),
              testing::HasSubstr("too thin"));
}

TEST(MeshShape, AFieldIsStoredAndADamagedOneComputedAgain) {
  const std::filesystem::path folder = testing::TempDir() + "/peal-fields";
  std::filesystem::remove_all(folder);
  // A dish whose walls need a fine field.
  const auto mesh =
      std::make_shared<TriMesh>(geometry::lathe_mesh({{0, 0}, {0.03, 0.003}}, 0.0025, 0.004));
  const scene::MeshShape shape{mesh, 3e-4};
  std::vector<std::string> notices;
  const auto made = [&] {
    const util::Store store(util::stored::distance_field, folder);
    auto result = make_smooth_shape(shape, &store);
    notices = store.notices();
    return result;
  };
  const auto first = made();
  const auto files = util::files_with_ending(folder, ".distance-field");
  ASSERT_EQ(files.size(), 1u);
  const auto expect_same = [&](const SmoothShape& other) {
    for (int i = 0; i < 50; ++i) {
      const Vec3 p(0.025 * std::cos(i), 2e-4 * i, 0.025 * std::sin(i));
      Vec3 a, b;
      const double here = first->distance(p, a);
      EXPECT_EQ(other.distance(p, b), here);
      EXPECT_EQ(a, b);
    }
  };
  const auto written = std::filesystem::last_write_time(files[0]);
  expect_same(*made());
  EXPECT_TRUE(notices.empty());
  EXPECT_EQ(std::filesystem::last_write_time(files[0]), written) << "it was found";
  util::flip_byte(files[0], 0.6);
  expect_same(*made());
  EXPECT_THAT(notices, testing::ElementsAre(testing::HasSubstr("is damaged (wrong checksum)")));
  std::filesystem::resize_file(files[0], 100);
  expect_same(*made());
  EXPECT_THAT(notices, testing::ElementsAre(testing::HasSubstr("is damaged (cut short)")));
  expect_same(*made());
  EXPECT_TRUE(notices.empty()) << "it is whole again";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace peal::dynamics
