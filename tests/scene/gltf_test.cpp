#include <peal/scene/gltf.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <scene/gltf_builder.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace peal::scene {
namespace {

using geometry::Vec3;
using ::testing::HasSubstr;

/// What the reader says about bytes; "" if it accepts them.
std::string bytes_complaint(const std::string& bytes) {
  try {
    parse_gltf(bytes, "a.gltf", "");
  } catch (const util::InputError& error) {
    return error.what();
  }
  return "";
}

/// A square of two triangles, its four corners used six times.
GltfBuilder square() {
  GltfBuilder b;
  const int position = b.floats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3");
  const int index = b.accessor<std::uint16_t>({0, 1, 2, 0, 2, 3}, "SCALAR", 5123);
  b.push("meshes",
         {{"primitives", {{{"attributes", {{"POSITION", position}}}, {"indices", index}}}}});
  b.push("nodes", {{"name", "square"}, {"mesh", 0}});
  b.push("scenes", {{"nodes", {0}}, {"extras", {{"peal", {{"duration", 2}}}}}});
  return b;
}

TEST(Gltf, LongChainsOfNodesAtRestTakeLittleAndLeadToTheSamePlace) {
  GltfBuilder b = square();
  constexpr int depth = 3000;
  // Each a quarter turn about z, and 1 m along its own x.
  const double half = std::sqrt(0.5);
  for (int i = 0; i < depth; ++i) {
    nlohmann::json node = {{"translation", {1, 0, 0}}, {"rotation", {0, 0, half, half}}};
    if (i + 1 < depth) node["children"] = {i + 2};
    b.push("nodes", node);
  }
  b.json["scenes"][0]["nodes"] = {0, 1};
  const GltfFile file = parse_gltf(b.glb(), "a.glb", "");
  std::size_t links = 0;
  for (int i = 1; i <= depth; ++i) links += motion_of(file, i).chain.size();
  EXPECT_LT(links, 64u * depth);
  const auto place = [&](int node) {
    geometry::Affine all = geometry::Affine::Identity();
    for (const AnimatedTransform& link : motion_of(file, node).chain) {
      all.translate(link.translation.values.front());
      all.rotate(geometry::Quat(link.rotation.values.front()));
    }
    return Vec3(all.translation());
  };
  // Four steps go around a square.
  EXPECT_NEAR((place(depth) - place(4)).norm(), 0.0, 1e-9);
  EXPECT_NEAR((place(depth - 2) - place(2)).norm(), 0.0, 1e-9);
}

TEST(Gltf, LongChainsOfNodesThatMoveTakeLittleAndLeadToTheSamePlace) {
  GltfBuilder b = square();
  constexpr int depth = 1000;
  // Each a quarter turn about z, and along its own x from 0 to 1 m; the last one turns back.
  const double half = std::sqrt(0.5);
  for (int i = 0; i < depth; ++i) {
    nlohmann::json node = {{"rotation", {0, 0, half, half}}};
    if (i + 1 < depth) node["children"] = {i + 2};
    b.push("nodes", node);
    b.animate(i + 1, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  }
  const auto turned = static_cast<float>(half);
  b.animate(depth, "rotation", {0, 1}, {0, 0, turned, turned, 0, 0, -turned, turned});
  b.json["scenes"][0]["nodes"] = {0, 1};
  const GltfFile file = parse_gltf(b.glb(), "a.glb", "");
  std::size_t links = 0;
  for (int i = 1; i <= depth; ++i) links += motion_of(file, i).chain.size();
  EXPECT_LE(links, 32u * depth);
  const MotionPath path = motion_of(file, depth);
  ASSERT_EQ(path.chain.size(), 1u);
  const AnimatedTransform& all = path.chain.front();
  // Four steps go around a square, at any time: three more lead to (0, 1, 0), as 1000 = 4 n.
  EXPECT_NEAR((all.translation.values.back()).norm(), 0.0, 1e-9);
  const MotionPath before = motion_of(file, depth - 1);
  EXPECT_NEAR((before.chain.front().translation.values.back() - Vec3(0, 1, 0)).norm(), 0.0, 1e-9);
  // 999 quarter turns are one backwards, before the turn of the last one.
  const auto angle = [&](std::size_t link) {
    const Eigen::Vector4d& q = all.rotation.values[link];
    return 2.0 * std::atan2(q.z(), q.w());
  };
  EXPECT_NEAR(std::cos(angle(0)), 1.0, 1e-9);
  EXPECT_NEAR(std::cos(angle(1)), -1.0, 1e-9);
}

TEST(Gltf, FirstBytesAndLengthAreCheckedBeforeAFileIsRead) {
  const auto path = std::filesystem::temp_directory_path() / "peal-large.glb";
  const auto complaint = [&](const std::string& bytes) -> std::string {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      read_gltf(path);
      return "";
    } catch (const util::InputError& error) {
      return error.what();
    }
  };
  const std::string whole = square().glb();
  EXPECT_EQ(complaint(whole), "");
  EXPECT_THAT(complaint(whole.substr(0, whole.size() - 4)), HasSubstr("cut short"));
  EXPECT_THAT(complaint("RIFF....WAVEfmt"), HasSubstr("is not a glTF file"));
  EXPECT_EQ(complaint(square().text()), "");
  std::filesystem::remove(path);
}

/// A node that goes 1 m along x in 1 s.
GltfBuilder mover() {
  GltfBuilder b;
  b.push("nodes", {{"name", "car"}});
  b.animate(0, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  return b;
}

TEST(Gltf, TextAndBinaryContainerGiveTheSame) {
  for (const std::string& bytes : {square().text(), square().glb()}) {
    const GltfFile file = parse_gltf(bytes, "a", "");
    const auto& mesh = mesh_of(file, find_node(file, "square"));
    EXPECT_EQ(mesh.vertices.size(), 4u);
    ASSERT_EQ(mesh.triangles.size(), 2u);
    EXPECT_EQ(geometry::area_vector(mesh, 1), Vec3(0, 0, 0.5));
    EXPECT_TRUE(mesh.groups.empty());
    EXPECT_EQ(file.scene_extras["peal"]["duration"], 2);
  }
}

TEST(Gltf, BufferIsFoundBesideTheFileAndNowhereElse) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "peal_gltf_buffer";
  fs::create_directories(folder / "sub dir");
  GltfBuilder b = square();
  std::ofstream(folder / "sub dir/data.bin", std::ios::binary) << b.binary;
  nlohmann::json json = b.json;
  json["buffers"] = {{{"byteLength", b.binary.size()}, {"uri", "sub%20dir/data.bin"}}};
  std::ofstream(folder / "a.gltf") << json.dump();
  EXPECT_EQ(read_gltf(folder / "a.gltf").meshes[0].triangles.size(), 2u);

  for (const char* uri : {"../a.bin", "/etc/passwd", "http://a.org/a.bin", "a/../../b.bin", "",
                          "file:///etc/passwd", "%2e%2e/a.bin", "%2Fetc/passwd"}) {
    json["buffers"][0]["uri"] = uri;
    try {
      parse_gltf(json.dump(), "a.gltf", folder);
      ADD_FAILURE() << uri;
    } catch (const util::InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("not a file beside this one")) << uri;
      EXPECT_EQ(error.location().at, "buffers[0].uri");
    }
  }
}

TEST(Gltf, VerticesSplitForNormalsAreWelded) {
  GltfBuilder b;
  // Two triangles without indices that share an edge; -0 and 0 are one place.
  const int position = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, -0.0f, 0, 1, 1, 0, 0, 1, 0}, "VEC3");
  b.push("meshes", {{"primitives", {{{"attributes", {{"POSITION", position}}}}}}});
  const auto mesh = parse(b).meshes[0];
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles[1], (geometry::Triangle{1, 3, 2}));
}

TEST(Gltf, StripsAndFansKeepTheirOutwardSide) {
  for (const int mode : {5, 6}) {
    GltfBuilder b;
    const std::vector<float> zigzag = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};
    const std::vector<float> around = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 0};
    const int position = b.floats(mode == 5 ? zigzag : around, "VEC3");
    b.push("meshes",
           {{"primitives", {{{"attributes", {{"POSITION", position}}}, {"mode", mode}}}}});
    const auto mesh = parse(b).meshes[0];
    ASSERT_EQ(mesh.triangles.size(), 3u);
    for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(area_vector(mesh, t), Vec3(0, 0, 0.5));
  }
}

TEST(Gltf, MaterialNamesBecomeGroups) {
  GltfBuilder b = square();
  b.json["materials"] = {{{"name", "rim"}}, {{"name", "bowl"}}, nlohmann::json::object()};
  auto& primitives = b.json["meshes"][0]["primitives"];
  primitives[0]["material"] = 0;
  for (const int material : {1, 0, 2}) {
    nlohmann::json another = primitives[0];
    another["material"] = material;
    primitives.push_back(another);
  }
  const auto mesh = parse(b).meshes[0];
  EXPECT_EQ(mesh.groups, (std::vector<std::string>{"rim", "bowl", "material 2"}));
  EXPECT_EQ(mesh.triangle_group, (std::vector<std::uint32_t>{0, 0, 1, 1, 0, 0, 2, 2}));
  EXPECT_EQ(mesh.vertices.size(), 4u);
}

TEST(Gltf, QuantisedPositionsAndSparseAccessorsAreRead) {
  GltfBuilder b = square();
  const int whole =
      b.accessor<std::int16_t>({0, 0, 0, 32767, 0, 0, 0, -32768, 0}, "VEC3", 5122, true);
  b.json["meshes"][0]["primitives"][0] = {{"attributes", {{"POSITION", whole}}}};
  EXPECT_EQ(parse(b).meshes[0].vertices[1], Vec3(1, 0, 0));
  EXPECT_EQ(parse(b).meshes[0].vertices[2], Vec3(0, -1, 0));

  const int which = b.accessor<std::uint8_t>({2, 1}, "SCALAR", 5121);
  const int values = b.floats({7, 8, 9, 1, 2, 3}, "VEC3");
  const auto view = [&](int a) {
    return b.json["accessors"][static_cast<std::size_t>(a)]["bufferView"];
  };
  const int sparse =
      b.push("accessors", {{"componentType", 5126},
                           {"count", 3},
                           {"type", "VEC3"},
                           {"sparse",
                            {{"count", 2},
                             {"indices", {{"bufferView", view(which)}, {"componentType", 5121}}},
                             {"values", {{"bufferView", view(values)}}}}}});
  b.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = sparse;
  const auto vertices = parse(b).meshes[0].vertices;
  EXPECT_EQ(vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 2, 3}, {7, 8, 9}}));
}

TEST(Gltf, InterleavedVerticesAreReadByTheirStride) {
  GltfBuilder b = square();
  const int packed = b.floats({0, 0, 0, 9, 9, 9, 1, 0, 0, 9, 9, 9, 0, 1, 0, 9, 9, 9}, "VEC3");
  auto& accessor = b.json["accessors"][static_cast<std::size_t>(packed)];
  accessor["count"] = 3;
  b.json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteStride"] = 24;
  b.json["meshes"][0]["primitives"][0] = {{"attributes", {{"POSITION", packed}}}};
  EXPECT_EQ(parse(b).meshes[0].vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
}

TEST(Gltf, MotionIsTheChainFromTheRoot) {
  GltfBuilder b = mover();
  b.push("nodes", {{"name", "wheel"}, {"translation", {0, 1, 0}}, {"extras", {{"peal", 1}}}});
  b.json["nodes"][0]["children"] = {1};
  b.push("nodes", {{"name", "eye"}, {"camera", 0}});
  const GltfFile file = parse(b);
  const int wheel = find_node(file, "wheel");
  const MotionPath path = motion_of(file, wheel);
  ASSERT_EQ(path.chain.size(), 2u);
  EXPECT_EQ(path.chain[0].translation.values[1], Vec3(1, 0, 0));
  EXPECT_EQ(path.chain[1].translation.values[0], Vec3(0, 1, 0));
  EXPECT_EQ(file.nodes[1].extras["peal"], 1);
  EXPECT_TRUE(file.nodes[2].camera);
  EXPECT_EQ(file.duration, 1.0);
  EXPECT_EQ(last_key(path), 1.0);
  EXPECT_EQ(shifted(path, -0.25).chain[0].translation.times[0], -0.25);
}

TEST(Gltf, AllAnimationsPlayOnOneClock) {
  GltfBuilder b = mover();
  b.push("nodes", {{"name", "door"}});
  b.animate(1, "rotation", {0.5, 2}, {0, 0, 0, 2, 0, 3, 0, 0}, "STEP");
  b.animate(1, "scale", {0, 1}, {1, 1, 1, 2, 2, 2});
  const GltfFile file = parse(b);
  EXPECT_EQ(file.nodes[0].transform.translation.values.size(), 2u);
  const auto& rotation = file.nodes[1].transform.rotation;
  EXPECT_EQ(rotation.interpolation, Interpolation::step);
  EXPECT_EQ(rotation.values[1], Eigen::Vector4d(0, 1, 0, 0));  // brought to unit length
  EXPECT_EQ(file.nodes[1].transform.scale.values[1], Vec3(2, 2, 2));
  EXPECT_EQ(file.duration, 2.0);
}

TEST(Gltf, SplineKeysComeWithTheirTangents) {
  GltfBuilder b = mover();
  b.json["animations"].clear();
  b.animate(0, "translation", {0, 1}, {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 6, 0, 0},
            "CUBICSPLINE");
  const auto track = parse(b).nodes[0].transform.translation;
  EXPECT_EQ(track.values, (std::vector<Vec3>{{2, 0, 0}, {5, 0, 0}}));
  EXPECT_EQ(track.in_tangents, (std::vector<Vec3>{{1, 0, 0}, {4, 0, 0}}));
  EXPECT_EQ(track.out_tangents, (std::vector<Vec3>{{3, 0, 0}, {6, 0, 0}}));
}

TEST(Gltf, ContradictingAnimationsAreAnErrorOnlyForWhatUsesThem) {
  GltfBuilder b = mover();
  b.push("nodes", {{"name", "other"}});
  const int again = b.animate(0, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  EXPECT_NO_THROW(motion_of(parse(b), 0));  // says the same twice
  b.animate(0, "translation", {0, 1}, {0, 0, 0, 5, 0, 0});
  b.json["animations"][static_cast<std::size_t>(again) + 1]["name"] = "jump";
  const GltfFile file = parse(b);
  EXPECT_NO_THROW(motion_of(file, 1));
  try {
    motion_of(file, 0);
    ADD_FAILURE();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("animations[0] and \"jump\" both move its translation"));
  }
}

TEST(Gltf, MatrixIsTakenApart) {
  const geometry::Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  geometry::Affine affine = geometry::Affine::Identity();
  affine.translate(Vec3(4, 5, 6)).rotate(turn).scale(Vec3(-2, 3, 0.5));
  GltfBuilder b;
  std::vector<double> entries(affine.matrix().data(), affine.matrix().data() + 16);
  b.push("nodes", {{"matrix", entries}});
  const AnimatedTransform t = parse(b).nodes[0].transform;
  geometry::Affine again = geometry::Affine::Identity();
  again.translate(t.translation.values[0])
      .rotate(geometry::Quat(t.rotation.values[0]))
      .scale(t.scale.values[0]);
  for (int i = 0; i < 16; ++i) {
    EXPECT_NEAR(again.matrix().data()[i], affine.matrix().data()[i], 1e-14);
  }

  b.json["nodes"][0]["matrix"][4] = 3.0;
  EXPECT_THAT(complaint(b), HasSubstr("nodes[0].matrix: shears"));
}

TEST(Gltf, OnlyNodesOfTheDefaultSceneAreInIt) {
  GltfBuilder b = square();
  b.push("nodes", {{"name", "unused"}});
  b.push("nodes", {{"name", "child"}});
  b.json["nodes"][0]["children"] = {2};
  const GltfFile file = parse(b);
  EXPECT_TRUE(file.nodes[0].in_scene);
  EXPECT_FALSE(file.nodes[1].in_scene);
  EXPECT_TRUE(file.nodes[2].in_scene);
}

TEST(Gltf, WhatIsLeftOutIsTold) {
  GltfBuilder b = square();
  b.json["meshes"][0]["primitives"].push_back({{"attributes", {{"POSITION", 0}}}, {"mode", 1}});
  b.animate(0, "weights", {0}, {0, 0, 0});
  EXPECT_THAT(parse(b).notices, ::testing::ElementsAre(HasSubstr("primitives[1]: points and lines"),
                                                       HasSubstr("animation of \"weights\"")));
}

TEST(Gltf, MisspelledNodeNameGetsASuggestion) {
  try {
    find_node(parse(square()), "sqaure");
    ADD_FAILURE();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has no node named \"sqaure\""));
    EXPECT_THAT(error.what(), HasSubstr("Did you mean \"square\"?"));
  }
  GltfBuilder twice = square();
  twice.push("nodes", {{"name", "square"}});
  EXPECT_THROW(find_node(parse(twice), "square"), util::InputError);
}

/// A change to a good file and what must be said about it.
struct Mistake {
  const char* patch;  ///< JSON patch
  const char* words;
};

void expect_complaints(const GltfBuilder& good, const std::vector<Mistake>& mistakes) {
  ASSERT_EQ(complaint(good), "");
  for (const Mistake& mistake : mistakes) {
    GltfBuilder bad = good;
    bad.json = good.json.patch(nlohmann::json::parse(mistake.patch));
    EXPECT_THAT(complaint(bad), HasSubstr(mistake.words)) << mistake.patch;
  }
}

TEST(GltfErrors, MeshMistakesNameTheirPlace) {
  expect_complaints(
      square(),
      {{R"([{"op":"replace","path":"/accessors/0/count","value":5}])", "accessors[0]: 5 elements"},
       {R"([{"op":"replace","path":"/accessors/0/count","value":2000000000}])",
        "accessors[0].count: is 2000000000"},
       {R"([{"op":"replace","path":"/accessors/0/count","value":-1}])",
        "accessors[0].count: is -1"},
       {R"([{"op":"replace","path":"/accessors/0/count","value":1e300}])", "accessors[0].count"},
       {R"([{"op":"replace","path":"/accessors/0/count","value":2.5}])", "whole number"},
       {R"([{"op":"replace","path":"/accessors/0/type","value":"VEC2"}])", "needs VEC3"},
       {R"([{"op":"replace","path":"/accessors/0/componentType","value":5130}])", "is 5130"},
       {R"([{"op":"replace","path":"/accessors/0/bufferView","value":9}])",
        "accessors[0].bufferView: is 9, but the file has 2 bufferViews"},
       {R"([{"op":"remove","path":"/accessors/0/bufferView"}])", "has no data"},
       {R"([{"op":"add","path":"/accessors/0/byteOffset","value":4}])", "need 52 bytes"},
       {R"([{"op":"replace","path":"/bufferViews/0/byteLength","value":4000}])",
        "bufferViews[0]: bytes 0 to 4000 lie outside"},
       {R"([{"op":"replace","path":"/bufferViews/0/byteOffset","value":1099511627776}])",
        "outside"},
       {R"([{"op":"remove","path":"/bufferViews/0/byteLength"}])", "lacks \"byteLength\""},
       {R"([{"op":"add","path":"/bufferViews/0/byteStride","value":8}])", "byteStride 8"},
       {R"([{"op":"replace","path":"/accessors/1/count","value":5}])",
        "do not make whole triangles"},
       {R"([{"op":"replace","path":"/meshes/0/primitives/0/indices","value":7}])",
        "meshes[0].primitives[0].indices: is 7"},
       {R"([{"op":"replace","path":"/accessors/0/count","value":3}])",
        "indices: entry 5 names vertex 3, but there are 3"},
       {R"([{"op":"remove","path":"/meshes/0/primitives/0/attributes/POSITION"}])",
        "meshes[0].primitives[0].attributes: lacks \"POSITION\""},
       {R"([{"op":"add","path":"/meshes/0/primitives/0/mode","value":7}])", "mode: is 7"},
       {R"([{"op":"add","path":"/meshes/0/primitives/0/material","value":0}])", "has 0 materials"},
       {R"([{"op":"add","path":"/extensionsRequired","value":["KHR_draco_mesh_compression"]}])",
        "Export without compression."},
       {R"([{"op":"replace","path":"/meshes","value":{}}])", "meshes: must be an array"},
       {R"([{"op":"replace","path":"/meshes/0","value":7}])", "meshes[0]: must be an object"}});
}

TEST(GltfErrors, NodeMistakesNameTheirPlace) {
  expect_complaints(
      square(),
      {{R"([{"op":"add","path":"/nodes/0/children","value":[0]}])", "its own ancestor"},
       {R"([{"op":"add","path":"/nodes/0/children","value":[3]}])", "nodes[0].children[0]: is 3"},
       {R"([{"op":"add","path":"/nodes/1","value":{"children":[0,0]}}])", "has two parents"},
       {R"([{"op":"add","path":"/nodes/0/translation","value":[1,2]}])", "has 2 numbers"},
       {R"([{"op":"add","path":"/nodes/0/translation","value":[1,"x",2]}])",
        "nodes[0].translation[1]: must be a number"},
       {R"([{"op":"add","path":"/nodes/0/rotation","value":[0,0,0,0]}])", "nodes[0].rotation"},
       {R"([{"op":"add","path":"/nodes/0/matrix","value":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]}])",
        "flattens"},
       {R"([{"op":"replace","path":"/nodes/0/mesh","value":1}])", "nodes[0].mesh: is 1"},
       {R"([{"op":"replace","path":"/nodes/0/name","value":1}])", "nodes[0].name"},
       {R"([{"op":"add","path":"/scene","value":1}])", "scene: is 1, but the file has 1 scenes"},
       {R"([{"op":"replace","path":"/scenes/0/nodes","value":[0,0]}])", "named twice"},
       {R"([{"op":"remove","path":"/asset"}])", "lacks \"asset\""},
       {R"([{"op":"replace","path":"/asset/version","value":"1.0"}])", "Peal reads glTF 2.0"}});
}

TEST(GltfErrors, AnimationMistakesNameTheirPlace) {
  expect_complaints(
      mover(),
      {{R"([{"op":"replace","path":"/accessors/0/count","value":1}])",
        "animations[0].samplers[0].output: has 2 elements, but 1 keys need 1"},
       {R"([{"op":"replace","path":"/accessors/0/count","value":0}])", "at least one key"},
       {R"([{"op":"replace","path":"/animations/0/samplers/0/interpolation","value":"CUBIC"}])",
        "animations[0].samplers[0].interpolation: is \"CUBIC\""},
       {R"([{"op":"replace","path":"/animations/0/samplers/0/interpolation","value":"CUBICSPLINE"}])",
        "2 keys need 6"},
       {R"([{"op":"replace","path":"/animations/0/channels/0/sampler","value":1}])", "samplers"},
       {R"([{"op":"replace","path":"/animations/0/channels/0/target/node","value":9}])",
        "animations[0].channels[0].target.node: is 9"},
       {R"([{"op":"replace","path":"/animations/0/channels/0/target/path","value":"colour"}])",
        "is \"colour\""},
       {R"([{"op":"replace","path":"/animations/0/channels/0/target/path","value":"rotation"}])",
        "needs VEC4"},
       {R"([{"op":"replace","path":"/animations/0/samplers/0/input","value":1}])",
        "needs SCALAR"}});
}

TEST(GltfErrors, BadNumbersInTheBufferAreFound) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto with = [](std::vector<float> times, const char* path, std::vector<float> values) {
    GltfBuilder b;
    b.push("nodes", nlohmann::json::object());
    b.animate(0, path, times, values);
    return complaint(b);
  };
  EXPECT_THAT(with({0, nan}, "translation", {0, 0, 0, 0, 0, 0}),
              HasSubstr("element 1 is not a finite"));
  EXPECT_THAT(with({0, 1}, "translation", {0, 0, 0, 0, nan, 0}),
              HasSubstr("accessors[1]: element 1"));
  EXPECT_THAT(with({1, 1}, "translation", {0, 0, 0, 0, 0, 0}), HasSubstr("key times must rise"));
  EXPECT_THAT(with({0, 1}, "rotation", {0, 0, 0, 1, 0, 0, 0, 0}), HasSubstr("key 1 is zero"));
}

TEST(GltfErrors, BrokenContainersAreTold) {
  const std::string good = square().glb();
  EXPECT_EQ(bytes_complaint(good), "");
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_NE(bytes_complaint(good.substr(0, size)), "") << size;
  }
  EXPECT_THAT(bytes_complaint(good + "x"), HasSubstr("byte 8: the header says"));
  EXPECT_THAT(bytes_complaint("{\"asset\":"), HasSubstr("byte 10 of the JSON: is not JSON"));
  EXPECT_THAT(bytes_complaint("[1e400]"), HasSubstr("is not JSON"));
  EXPECT_THAT(bytes_complaint(std::string(1 << 20, '[')), HasSubstr("nested deeper"));
}

TEST(GltfErrors, SmallFileCannotAskForMuchMemory) {
  GltfBuilder b;
  const int position = b.floats(std::vector<float>(30000, 1.0f), "VEC3");
  for (int i = 0; i < 2000; ++i) {
    b.push("meshes", {{"primitives", {{{"attributes", {{"POSITION", position}}}, {"mode", 5}}}}});
  }
  EXPECT_THAT(complaint(b), HasSubstr("times the memory of the file"));
}

}  // namespace
}  // namespace peal::scene
