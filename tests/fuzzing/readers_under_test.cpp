#include <peal/base/modes_file.h>
#include <peal/base/radiation_tables.h>
#include <peal/base/stored_contacts.h>
#include <peal/bubbles/read_tracks.h>
#include <peal/contact/contact_log.h>
#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/field_of_mesh.h>
#include <peal/elastic/surface_record.h>
#include <peal/explore/http_request.h>
#include <peal/farm/plan.h>
#include <peal/geometry/io/read_bobj.h>
#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/read_stl.h>
#include <peal/geometry/io/stored_mesh.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_program.h>
#include <peal/scene/gltf.h>
#include <peal/scene/read_pieces.h>
#include <peal/scene/read_scene.h>
#include <peal/util/audio_file.h>
#include <peal/util/decimator.h>
#include <peal/util/error.h>
#include <peal/util/scratch_folder.h>
#include <peal/util/store_entry.h>
#include <peal/vibration/solid_modes.h>
#include <peal/wave/driver/chunk_cache.h>

#include <algorithm>
#include <cmath>
#include <fstream>
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
    for (const auto& values : file.vertex_values.at(m))
      require(values.second.size() == file.meshes[m].vertices.size(), "a value for each vertex");
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

/// Files of results stay in their folder.
void check(const farm::Plan& plan) {
  for (const farm::Plan::Unit& unit : plan.units) {
    require(unit.work >= 0.0 && std::isfinite(unit.work), "an impossible amount of work");
    require(unit.file.is_relative(), "a file elsewhere");
    for (const auto& part : unit.file.lexically_normal()) require(part != "..", "a file elsewhere");
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

/// Stored results of one kind, without the checksum that guards them on disk.
template <class Stored>
void read_stored(std::string_view bytes) {
  util::Archive archive(bytes);
  Stored stored;
  serialize(archive, stored);
}

void read_solid_modes(std::string_view bytes) {
  util::Archive archive(bytes);
  vibration::SolidModes modes;
  vibration::serialize(archive, modes);
  check(modes.model);
}

void read_recording(std::string_view bytes) {
  util::Archive archive(bytes);
  elastic::Recording recording;
  elastic::serialize(archive, recording);
  for (const elastic::SurfaceRecord& surface : recording.surfaces) {
    require(!surface.displacements.empty(), "a surface that is nowhere");
    check_indices(surface.mesh);
  }
}

void read_chunk(std::string_view bytes) {
  util::Archive archive(bytes);
  wave::StoredChunk chunk;
  wave::serialize(archive, chunk);
  for (const base::Signal& signal : chunk.sound.received)
    require(signal.rate.hz > 0, "a sound without a rate");
}

/// A lattice of 3 x 3 x 2 nodes.
void read_distance_field(std::string_view bytes) {
  util::Archive archive(bytes);
  dynamics::FieldSamples samples{.count = 18};
  dynamics::serialize(archive, samples);
  for (const float distance : samples.distances) require(std::isfinite(distance), "not finite");
}

/// Parts of the state of a simulation: contacts of the last step, and a filter, which then goes on.
void read_checkpoint(std::string_view bytes) {
  util::Archive archive(bytes);
  dynamics::ContactCache contacts;
  contacts.serialize(archive);
  constexpr std::size_t results = 8;  // of any width of vectors
  util::Decimator filter(1, 2, std::vector<double>{0.5, 0.25}, results);
  filter.serialize(archive);
  std::vector<float> out(results * util::Decimator::lanes);
  std::vector<std::size_t> slots(results);
  for (std::size_t k = 0; k < results; ++k) slots[k] = k * util::Decimator::lanes;
  for (std::size_t n = 0; n < 4 * results; ++n) {
    filter.samples(0)[filter.slot()] = 1.0f;
    if (filter.push()) filter.make(0, out.data(), slots);
  }
}

/// The tables of nodes and of tetrahedra, a line "====" between them.
void read_tetgen(std::string_view bytes) {
  constexpr std::string_view between = "====\n";
  const std::size_t cut = std::min(bytes.find(between), bytes.size());
  const std::string_view rest = bytes.substr(std::min(bytes.size(), cut + between.size()));
  static const geometry::TriMesh box = geometry::box_mesh({1.0, 1.0, 1.0}, 2.0);
  const geometry::TetAttempt attempt = geometry::parse_tetgen(bytes.substr(0, cut), rest, box);
  if (!attempt.fine()) return;
  for (const geometry::Tet& tet : attempt.mesh.tets)
    for (const std::uint32_t v : tet) require(v < attempt.mesh.vertices.size(), "an index");
}

/// The bytes of a buffer beside a glTF file that has a triangle with indices in it.
void read_gltf_buffer(std::string_view bytes) {
  static const util::ScratchFolder folder;
  static constexpr std::string_view document = R"({
    "asset": {"version": "2.0"},
    "buffers": [{"byteLength": 44, "uri": "fuzz.bin"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "nodes": [{"name": "one", "mesh": 0}]})";
  std::ofstream(folder.path() / "fuzz.bin", std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check(scene::parse_gltf(document, "fuzz.gltf", folder.path()));
}

void read_http_head(std::string_view bytes) {
  const explore::ParsedHead head = explore::parse_head(bytes);
  if (!head.request) return require(head.refusal.status >= 400, "a refusal without a status");
  require(head.request->body_size <= explore::largest_body, "a body that is too large");
  explore::refuse_foreign(*head.request, "127.0.0.1:8000");
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
      {"checkpoint", read_checkpoint},
      {"chunk", read_chunk},
      {"contact_log",
       [](std::string_view bytes) { check(contact::parse_contact_log(bytes, "fuzz.jsonl")); }},
      {"contact_table",
       [](std::string_view bytes) { check(contact::parse_contact_table(bytes, "fuzz.csv")); }},
      {"distance_field", read_distance_field},
      {"gltf", [](std::string_view bytes) { check(scene::parse_gltf(bytes, "fuzz.gltf", "")); }},
      {"gltf_buffer", read_gltf_buffer},
      {"http_head", read_http_head},
      {"modal_radiation", read_stored<base::ModalRadiation>},
      {"modes", [](std::string_view bytes) { check(base::parse_modes(bytes, "fuzz.modes")); }},
      {"obj", [](std::string_view bytes) { check(geometry::parse_obj(bytes, "fuzz.obj")); }},
      {"pieces",
       [](std::string_view bytes) {
         const scene::PiecesFile file = scene::parse_pieces(bytes, "fuzz.jsonl");
         require(!file.pieces.empty(), "no pieces");
         for (const auto& [name, keys] : file.keyframes) require(!keys.empty(), "no poses");
       }},
      {"plan", [](std::string_view bytes) { check(farm::parse_plan(bytes, "fuzz.json")); }},
      {"ply",
       [](std::string_view bytes) {
         const geometry::TriMesh mesh = geometry::parse_ply(bytes, "fuzz.ply");
         check(mesh);
         const std::vector<double> x = geometry::parse_ply_values(bytes, "x", "fuzz.ply");
         require(x.size() == mesh.vertices.size(), "a value for each vertex");
         for (std::size_t v = 0; v < x.size(); ++v)
           require(x[v] == mesh.vertices[v].x(), "the property that was asked for");
       }},
      {"recording", read_recording},
      {"rigid_radiation", read_stored<base::RigidRadiation>},
      {"scene",
       [](std::string_view bytes) {
         const scene::SceneLimits limits = {.keys = 10'000, .triangles = 50'000};
         check(scene::parse_scene(bytes, "fuzz.json", "", limits));
       }},
      {"solid_modes", read_solid_modes},
      {"stl", [](std::string_view bytes) { check(geometry::parse_stl(bytes, "fuzz.stl")); }},
      {"store",
       [](std::string_view bytes) {
         read_archive(util::parse_entry(bytes, "fuzz.seed", seed_kind, seed_key));
       }},
      {"tetgen", read_tetgen},
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
