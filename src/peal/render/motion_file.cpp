#include <peal/render/motion_file.h>
#include <peal/util/version.h>

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace peal::render {

namespace {

using base::Vec3;
using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

// Numbers of the glTF 2.0 specification, sections 3.6.2.2 and 4.4.
constexpr int unsigned_int = 5125, float_number = 5126;
constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

/// Rows of numbers go into one buffer, each list with its view and accessor.
class GltfBuffer {
 public:
  int add(const std::vector<float>& values, int width, bool with_bounds = false) {
    static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    Json accessor = {{"bufferView", views_.size()},
                     {"componentType", float_number},
                     {"count", values.size() / static_cast<std::size_t>(width)},
                     {"type", types[width]}};
    if (with_bounds) add_bounds(accessor, values, width);
    return append(values.data(), values.size() * sizeof(float), std::move(accessor));
  }
  int add(const std::vector<std::uint32_t>& indices) {
    return append(indices.data(), indices.size() * sizeof(std::uint32_t),
                  {{"bufferView", views_.size()},
                   {"componentType", unsigned_int},
                   {"count", indices.size()},
                   {"type", "SCALAR"}});
  }

  const std::string& bytes() const { return bytes_; }
  const Json& views() const { return views_; }
  const Json& accessors() const { return accessors_; }

 private:
  int append(const void* data, std::size_t size, Json accessor) {
    views_.push_back({{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}});
    bytes_.append(static_cast<const char*>(data), size);
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
  }

  static void add_bounds(Json& accessor, const std::vector<float>& values, int width) {
    std::vector<float> low(static_cast<std::size_t>(width), std::numeric_limits<float>::infinity());
    std::vector<float> high(low.size(), -std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t column = i % low.size();
      low[column] = std::min(low[column], values[i]);
      high[column] = std::max(high[column], values[i]);
    }
    accessor["min"] = low;
    accessor["max"] = high;
  }

  std::string bytes_;
  Json views_ = Json::array(), accessors_ = Json::array();
};

std::vector<float> as_floats(std::span<const Vec3> vectors) {
  std::vector<float> values;
  for (const Vec3& vector : vectors) {
    for (const double value : vector) values.push_back(static_cast<float>(value));
  }
  return values;
}

std::vector<std::uint32_t> indices_of(const geometry::TriMesh& mesh) {
  std::vector<std::uint32_t> indices;
  for (const geometry::Triangle& triangle : mesh.triangles) {
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  }
  return indices;
}

class MotionFile {
 public:
  MotionFile(double duration, double rate) {
    const auto last = static_cast<std::int64_t>(std::floor(duration * rate * (1.0 + 1e-12)));
    for (std::int64_t frame = 0; frame <= last; ++frame) {
      times_.push_back(static_cast<double>(frame) / rate);
    }
    std::vector<float> times(times_.begin(), times_.end());
    times_accessor_ = buffer_.add(times, 1, true);
  }

  void add(const MovingMesh& moving) {
    const std::size_t number = nodes_.size();
    roots_.push_back(number);
    nodes_.push_back({{"name", moving.name}});
    Json node = nodes_.back();
    if (moving.sequence) {
      node["children"] = add_sequence(moving);
    } else if (moving.mesh != nullptr && !moving.mesh->empty()) {
      node["mesh"] = meshes_.size();
      add_mesh(moving.name, *moving.mesh, moving.deformation.get(), {0, times_.size()}, number);
    }
    if (moving.motion->is_still()) {
      const base::Pose pose = moving.motion->pose(0.0);
      node["translation"] = as_floats(std::span(&pose.position, 1));
      const Eigen::Vector4f turn = pose.orientation.coeffs().cast<float>();
      node["rotation"] = std::vector<float>(turn.begin(), turn.end());
    } else {
      add_motion(*moving.motion, number);
    }
    if (moving.exists) add_existence(*moving.exists, node, number);
    nodes_[number] = std::move(node);
  }

  std::string bytes() const {
    Json json = {{"asset", {{"version", "2.0"}, {"generator", "Peal " + util::version()}}},
                 {"scene", 0},
                 {"scenes", Json::array({{{"nodes", roots_}}})},
                 {"nodes", nodes_}};
    if (!meshes_.empty()) json["meshes"] = meshes_;
    if (!channels_.empty()) {
      json["animations"] =
          Json::array({{{"name", "motion"}, {"samplers", samplers_}, {"channels", channels_}}});
    }
    json["accessors"] = buffer_.accessors();
    json["bufferViews"] = buffer_.views();
    json["buffers"] = Json::array({{{"byteLength", buffer_.bytes().size()}}});
    return container(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  /// Frames begin, ..., end - 1.
  struct Frames {
    std::size_t begin, end;
  };

  /// Adds a mesh with its shapes at some of the frames.
  void add_mesh(const std::string& name, const geometry::TriMesh& mesh,
                const base::Deformation* deformation, Frames frames, std::size_t node) {
    std::vector<Vec3> first = mesh.vertices, now = first;
    if (deformation != nullptr) deformation->vertices(times_[frames.begin], first);
    Json primitive = {{"attributes", {{"POSITION", buffer_.add(as_floats(first), 3, true)}}},
                      {"indices", buffer_.add(indices_of(mesh))}};
    if (deformation != nullptr && frames.end > frames.begin + 1) {
      Json targets = Json::array();
      for (std::size_t frame = frames.begin + 1; frame < frames.end; ++frame) {
        deformation->vertices(times_[frame], now);
        for (std::size_t i = 0; i < now.size(); ++i) now[i] -= first[i];
        targets.push_back({{"POSITION", buffer_.add(as_floats(now), 3, true)}});
      }
      primitive["targets"] = std::move(targets);
      add_weights(frames, node);
    }
    meshes_.push_back({{"name", name}, {"primitives", Json::array({primitive})}});
  }

  /// One morph target after the other; the first frame has none.
  void add_weights(Frames frames, std::size_t node) {
    const std::size_t targets = frames.end - frames.begin - 1;
    std::vector<float> times, weights((targets + 1) * targets, 0.0f);
    for (std::size_t frame = 0; frame <= targets; ++frame) {
      times.push_back(static_cast<float>(times_[frames.begin + frame]));
      if (frame > 0) weights[frame * targets + frame - 1] = 1.0f;
    }
    const int input = times.size() == times_.size() ? times_accessor_ : buffer_.add(times, 1, true);
    add_channel(node, "weights", buffer_.add(weights, 1), input, "LINEAR");
  }

  /// A node for each mesh that some frame shows; returns their numbers.
  Json add_sequence(const MovingMesh& moving) {
    Json children = Json::array();
    const base::SurfaceSequence& sequence = *moving.sequence;
    for (Frames frames{0, 0}; frames.begin < times_.size(); frames.begin = frames.end) {
      const std::size_t mesh = sequence.number_at(times_[frames.begin]);
      while (frames.end < times_.size() && sequence.number_at(times_[frames.end]) == mesh)
        ++frames.end;
      const std::size_t number = nodes_.size();
      const std::string name = moving.name + " mesh " + std::to_string(mesh);
      Json node = {{"name", name}, {"mesh", meshes_.size()}};
      const base::MeshOfSequence shape(moving.sequence, mesh);
      add_mesh(name, *sequence.mesh(mesh), &shape, frames, number);
      base::TimeRange shown;
      if (frames.begin > 0) shown.begin = times_[frames.begin];
      if (frames.end < times_.size()) shown.end = times_[frames.end];
      add_existence(shown, node, number);
      nodes_.push_back(std::move(node));
      children.push_back(number);
    }
    return children;
  }

  void add_motion(const base::Motion& motion, std::size_t node) {
    std::vector<Vec3> places;
    std::vector<float> turns;
    geometry::Quat last = geometry::Quat::Identity();
    for (const double t : times_) {
      const base::Pose pose = motion.pose(t);
      places.push_back(pose.position);
      // Of the two quaternions of a turn, the nearer one: programs blend them as they are.
      geometry::Quat turn = pose.orientation;
      if (turn.dot(last) < 0.0) turn.coeffs() = -turn.coeffs();
      for (const double value : turn.coeffs()) turns.push_back(static_cast<float>(value));
      last = turn;
    }
    add_channel(node, "translation", buffer_.add(as_floats(places), 3));
    add_channel(node, "rotation", buffer_.add(turns, 4));
  }

  /// A node that does not exist has no size: glTF itself has no visibility, but every viewer
  /// applies scales. They change at the instants themselves, whatever the frame rate.
  void add_existence(const base::TimeRange& exists, Json& node, std::size_t number) {
    std::vector<float> times, scales;
    for (const double t : {0.0, exists.begin, exists.end}) {
      if (t < 0.0 || t > times_.back() || (t == 0.0 && !times.empty())) continue;
      times.push_back(static_cast<float>(t));
      scales.insert(scales.end(), 3, exists.contains(t) ? 1.0f : 0.0f);
    }
    node["scale"] = std::vector<float>(scales.begin(), scales.begin() + 3);
    if (times.size() == 1) return;
    const int input = buffer_.add(times, 1, true);
    add_channel(number, "scale", buffer_.add(scales, 3), input, "STEP");
  }

  void add_channel(std::size_t node, const char* path, int output) {
    add_channel(node, path, output, times_accessor_, "LINEAR");
  }
  void add_channel(std::size_t node, const char* path, int output, int input,
                   const char* interpolation) {
    channels_.push_back(
        {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
  }

  /// Header, JSON and buffer, each of a whole number of words.
  std::string container(std::string json) const {
    json.append((4 - json.size() % 4) % 4, ' ');
    std::string binary = buffer_.bytes();
    binary.append((4 - binary.size() % 4) % 4, '\0');
    std::string file;
    const auto word = [&](std::uint32_t value) {
      file.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    word(glb_magic);
    word(2);
    word(static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
    word(static_cast<std::uint32_t>(json.size()));
    word(json_chunk);
    file += json;
    word(static_cast<std::uint32_t>(binary.size()));
    word(binary_chunk);
    return file + binary;
  }

  std::vector<double> times_;  ///< of frames [s]
  int times_accessor_ = 0;
  GltfBuffer buffer_;
  Json nodes_ = Json::array(), meshes_ = Json::array();
  Json roots_ = Json::array();  ///< numbers of nodes that no other one carries
  Json samplers_ = Json::array(), channels_ = Json::array();
};

}  // namespace

std::string motion_glb(std::span<const MovingMesh> meshes, double duration, double rate) {
  MotionFile file(duration, rate);
  for (const MovingMesh& mesh : meshes) file.add(mesh);
  return file.bytes();
}

}  // namespace peal::render
