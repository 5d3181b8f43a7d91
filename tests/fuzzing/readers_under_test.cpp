#include <peal/base/modes_file.h>
#include <peal/base/stored_contacts.h>
#include <peal/bubbles/read_tracks.h>
#include <peal/contact/contact_log.h>
#include <peal/geometry/io/read_bobj.h>
#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/read_stl.h>
#include <peal/geometry/io/stored_mesh.h>
#include <peal/scene/gltf.h>
#include <peal/scene/read_scene.h>
#include <peal/util/audio_file.h>
#include <peal/util/error.h>
#include <peal/util/store_entry.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "fuzzing/reader_under_test.h"

namespace peal::fuzzing {

namespace {

void require(bool promise, const char* text) {
  if (!promise) throw std::logic_error(text);
}

void check_indices(const geometry::TriMesh& mesh) {
  for (const geometry::Vec3& vertex : mesh.vertices) require(vertex.allFinite(), "not finite");
  for (const geometry::Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t index : triangle) {
      require(index < mesh.vertices.size(), "an index out of range");
    }
  }
  require(mesh.triangle_group.size() == (mesh.groups.empty() ? 0 : mesh.triangles.size()),
          "groups of some triangles only");
  for (const std::uint32_t group : mesh.triangle_group) {
    require(group < mesh.groups.size(), "a group out of range");
  }
}

/// What every mesh reader promises.
void check(const geometry::TriMesh& mesh) {
  require(!mesh.triangles.empty(), "an empty mesh");
  check_indices(mesh);
}

template <class T>
void check(const scene::Track<T>& track) {
  const bool spline = track.interpolation == scene::Interpolation::cubic_spline;
  const std::size_t keys = track.values.size(), tangents = spline ? keys : 0;
  require(track.times.size() == keys, "a key without a time");
  require(track.in_tangents.size() == tangents, "a key without a tangent");
  require(track.out_tangents.size() == tangents, "a key without a tangent");
  for (const T& value : track.values) require(value.allFinite(), "not finite");
  for (std::size_t i = 1; i < keys; ++i) {
    require(track.times[i - 1] < track.times[i], "times do not ascend");
  }
}

void check(const scene::GltfFile& file) {
  for (std::size_t m = 0; m < file.meshes.size(); ++m) {
    check_indices(file.meshes[m]);
    const scene::GltfMorph& morph = file.morphs.at(m);
    for (const auto& target : morph.displacements) {
      require(target.size() == file.meshes[m].vertices.size(), "a displacement for each vertex");
    }
  }
  const int nodes = static_cast<int>(file.nodes.size());
  for (int i = 0; i < nodes; ++i) {
    const scene::GltfNode& node = file.nodes[static_cast<std::size_t>(i)];
    require(node.parent < nodes && node.mesh < static_cast<int>(file.meshes.size()), "an index");
    if (!node.conflict.empty()) continue;
    check(node.transform.translation);
    check(node.transform.rotation);
    check(node.transform.scale);
    check(node.weights);
    if (node.mesh >= 0 && !file.meshes[node.mesh].empty()) {
      for (const auto& vertex : scene::mesh_of(file, i).vertices)
        require(vertex.allFinite() || node.skin < 0, "a skinned vertex that is somewhere");
      scene::morph_of(file, i);
    }
    for (const auto& rotation : node.transform.rotation.values) {
      require(std::abs(rotation.norm() - 1.0) < 1e-9, "a rotation that scales");
    }
  }
}

void check(const scene::MotionPath& path) {
  for (const scene::AnimatedTransform& transform : path.chain) {
    check(transform.translation);
    check(transform.rotation);
    check(transform.scale);
  }
}

void check(const scene::Scene& scene) {
  require(scene.duration > 0.0 && std::isfinite(scene.duration), "no length");
  require(!scene.objects.empty() && !scene.listeners.empty(), "an empty list");
  for (const scene::Object& object : scene.objects) {
    check(object.path);
    if (object.mesh) check(*object.mesh);
  }
  for (const scene::Listener& listener : scene.listeners) check(listener.motion);
}

void check(const util::AudioFile& audio) {
  require(audio.rate > 0 && !audio.channels.empty(), "no sound");
  for (const auto& channel : audio.channels) {
    require(channel.size() == audio.channels[0].size() && !channel.empty(), "uneven channels");
    for (const float sample : channel) require(std::isfinite(sample), "not finite");
  }
}

void check(const base::ModalModel& model) {
  check_indices(model.surface);
  require(model.shapes.cols() == static_cast<Eigen::Index>(model.modes.size()), "uneven shapes");
}

void check(const base::ContactLog& log) {
  for (const base::ContactRecord& record : log.records) {
    require(record.body_a < log.bodies.size() && record.body_b < log.bodies.size(), "an index");
    require(record.body_a != record.body_b, "a body that touches itself");
    require(std::isfinite(record.time) && record.point.allFinite() && record.impulse.allFinite() &&
                record.velocity.allFinite(),
            "not finite");
    require(std::abs(record.normal.norm() - 1.0) < 1e-12, "a normal that scales");
  }
}

void check(const bubbles::ReadTracks& read) {
  double last = -1e300;
  for (const base::BubbleTrack& track : read.population.tracks) {
    require(!track.samples.empty(), "a bubble without samples");
    require(track.begin_time() >= last, "bubbles out of order");
    last = track.begin_time();
    for (std::size_t i = 0; i < track.samples.size(); ++i) {
      const base::Bubble& bubble = track.samples[i];
      require(bubble.position.allFinite() && std::isfinite(bubble.time), "not finite");
      require(bubble.radius > 0.0 && bubble.frequency.value_or(1.0) > 0.0, "not positive");
      require(i == 0 || bubble.time > track.samples[i - 1].time, "times do not ascend");
    }
  }
}

/// What stored results are made of: texts, numbers, lists and things with indices.
void read_archive(std::string_view bytes) {
  util::Archive archive(bytes);
  base::ContactLog log;
  base::serialize(archive, log);
  for (const base::ContactRecord& record : log.records) {
    require(record.body_a < log.bodies.size() && record.body_b < log.bodies.size(), "an index");
  }
  geometry::TriMesh mesh;
  geometry::serialize(archive, mesh);
  for (const geometry::Triangle& triangle : mesh.triangles) {
    for (const std::uint32_t index : triangle) {
      require(index < mesh.vertices.size(), "an index out of range");
    }
  }
  bool is_still = false;
  archive.number(is_still);
}

/// The kind and key of the seeds.
constexpr util::StoreKind seed_kind = {"seed", "", 1};
constexpr std::string_view seed_key = "00112233445566778899aabbccddeeff";

}  // namespace

const std::vector<ReaderUnderTest>& readers_under_test() {
  static const std::vector<ReaderUnderTest> readers = {
      {"air_particles",
       [](std::string_view bytes) { bubbles::parse_air_particles(bytes, "fuzz.csv"); }},
      {"archive", read_archive},
      {"audio", [](std::string_view bytes) { check(util::parse_audio(bytes, "fuzz.wav")); }},
      {"bobj", [](std::string_view bytes) { check(geometry::parse_bobj(bytes, "fuzz.bobj")); }},
      {"bubble_events",
       [](std::string_view bytes) {
         for (const bubbles::BubbleEvent& event : bubbles::parse_bubble_events(bytes, "fuzz.csv"))
           require(std::isfinite(event.time) && event.radius > 0.0, "no event");
       }},
      {"bubble_table",
       [](std::string_view bytes) { check(bubbles::parse_bubble_table(bytes, "fuzz.csv")); }},
      {"contact_log",
       [](std::string_view bytes) { check(contact::parse_contact_log(bytes, "fuzz.jsonl")); }},
      {"contact_table",
       [](std::string_view bytes) { check(contact::parse_contact_table(bytes, "fuzz.csv")); }},
      {"gltf", [](std::string_view bytes) { check(scene::parse_gltf(bytes, "fuzz.gltf", "")); }},
      {"modes", [](std::string_view bytes) { check(base::parse_modes(bytes, "fuzz.modes")); }},
      {"obj", [](std::string_view bytes) { check(geometry::parse_obj(bytes, "fuzz.obj")); }},
      {"ply", [](std::string_view bytes) { check(geometry::parse_ply(bytes, "fuzz.ply")); }},
      {"scene",
       [](std::string_view bytes) {
         const scene::SceneLimits limits = {.keys = 10'000, .triangles = 50'000};
         check(scene::parse_scene(bytes, "fuzz.json", "", limits));
       }},
      {"stl", [](std::string_view bytes) { check(geometry::parse_stl(bytes, "fuzz.stl")); }},
      {"store",
       [](std::string_view bytes) {
         read_archive(util::parse_entry(bytes, "fuzz.seed", seed_kind, seed_key));
       }},
      {"tracked_bubbles",
       [](std::string_view bytes) { check(bubbles::parse_tracked_bubbles(bytes, "fuzz.txt")); }},
  };
  return readers;
}

std::string failure(const ReaderUnderTest& reader, std::string_view bytes) {
  const auto copy = std::make_unique_for_overwrite<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  try {
    reader.read({copy.get(), bytes.size()});
  } catch (const util::InputError& error) {
    return error.problem().empty() ? "an error without a text" : "";
  } catch (const std::exception& error) {
    return std::string("threw something else than InputError: ") + error.what();
  }
  return "";
}

}  // namespace peal::fuzzing
