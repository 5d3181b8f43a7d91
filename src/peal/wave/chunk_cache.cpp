#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/fingerprint.h>
#include <peal/util/version.h>
#include <peal/wave/chunk_cache.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace peal::wave {

namespace {

namespace fs = std::filesystem;

/// To be raised when the solver computes other numbers from the same input.
constexpr int solver_revision = 1;

constexpr std::string_view magic = "peal-chunk-1\n";
constexpr std::string_view suffix = ".chunk";

template <class Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Takes numbers from the front of some bytes; `whole` turns false at the first lack.
struct Reader {
  std::string_view rest;
  bool whole = true;

  template <class Number>
  Number take() {
    Number number{};
    if (rest.size() < sizeof number) {
      whole = false;
      return number;
    }
    std::memcpy(&number, rest.data(), sizeof number);
    rest.remove_prefix(sizeof number);
    return number;
  }
};

std::string checksum(std::string_view bytes) {
  util::Fingerprint sum;
  sum.add(bytes);
  return sum.hex();
}

std::string packed(const ChunkSound& sound) {
  std::string bytes(magic);
  put(bytes, static_cast<std::uint64_t>(sound.size()));
  for (const base::Signal& signal : sound) {
    put(bytes, signal.rate.hz);
    put(bytes, signal.start);
    put(bytes, static_cast<std::uint64_t>(signal.samples.size()));
    for (float sample : signal.samples) put(bytes, sample);
  }
  return bytes + checksum(bytes);
}

std::optional<ChunkSound> unpacked(std::string_view bytes) {
  constexpr std::size_t sum_size = 32;
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + sum_size) return std::nullopt;
  const std::string_view content = bytes.substr(0, bytes.size() - sum_size);
  if (checksum(content) != bytes.substr(content.size())) return std::nullopt;
  Reader reader{content.substr(magic.size())};
  ChunkSound sound;
  const auto count = reader.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && reader.whole; ++i) {
    base::Signal signal;
    signal.rate.hz = reader.take<std::int64_t>();
    signal.start = reader.take<std::int64_t>();
    const auto samples = reader.take<std::uint64_t>();
    if (samples > reader.rest.size() / sizeof(float)) return std::nullopt;
    for (std::uint64_t k = 0; k < samples; ++k) signal.samples.push_back(reader.take<float>());
    sound.push_back(std::move(signal));
  }
  if (!reader.whole || !reader.rest.empty()) return std::nullopt;
  return sound;
}

void add(util::Fingerprint& print, const Vec3& v) {
  print.add(std::span<const double>(v.data(), 3));
}

void add(util::Fingerprint& print, const base::Pose& pose) {
  add(print, pose.position);
  print.add(std::span<const double>(pose.orientation.coeffs().data(), 4));
}

/// Where a frame is at each sample.
void add_motion(util::Fingerprint& print, const base::Motion& motion, base::Rate rate,
                base::SampleRange range, const base::Piece& hold) {
  print.add(motion.is_still());
  const std::int64_t end = motion.is_still() ? range.begin + 1 : range.end;
  for (std::int64_t n = range.begin; n < end; ++n) {
    add(print, motion.pose(hold.clamp(rate.seconds(n))));
  }
}

/// What a body's shaders do at some points of each part of its surface, at each sample.
void add_shaders(util::Fingerprint& print, const base::Body& body, base::Rate rate,
                 base::SampleRange range) {
  constexpr std::size_t most_points = 64;
  std::vector<base::SurfacePoint> points;
  const geometry::TriMesh& mesh = body.mesh;
  const std::size_t stride = std::max<std::size_t>(1, mesh.triangles.size() / most_points);
  const auto add_point = [&](std::size_t triangle) {
    points.push_back({.triangle = static_cast<std::uint32_t>(triangle),
                      .position = geometry::triangle_centre(mesh, triangle),
                      .normal = geometry::area_vector(mesh, triangle).normalized()});
  };
  for (std::size_t i = 0; i < mesh.triangles.size(); i += stride) add_point(i);
  for (std::size_t i = 1; i < body.triangle_part.size(); ++i) {
    if (body.triangle_part[i] != body.triangle_part[i - 1]) add_point(i);
  }
  std::vector<float> acceleration(points.size());
  for (std::int64_t n = range.begin; n < range.end; ++n) {
    std::ranges::fill(acceleration, 0.0f);
    for (const auto& shader : body.shaders) {
      shader->add_acceleration({n, rate}, points, acceleration);
    }
    print.add(std::span<const float>(acceleration));
  }
}

void add_body(util::Fingerprint& print, const base::Body& body, base::Rate rate,
              base::SampleRange sounding, base::SampleRange range, const base::Piece& hold) {
  for (const Vec3& v : body.mesh.vertices) add(print, v);
  for (const geometry::Triangle& t : body.mesh.triangles) {
    print.add(std::span<const std::uint32_t>(t.data(), 3));
  }
  print.add(std::span<const std::uint32_t>(body.triangle_part));
  print.add(body.is_sheet);
  add_motion(print, *body.motion, rate, range, hold);
  if (body.deformation) {
    std::vector<Vec3> vertices = body.mesh.vertices;
    const std::int64_t millisecond = std::max<std::int64_t>(1, rate.hz / 1000);
    for (std::int64_t n = range.begin; n < range.end; n += millisecond) {
      body.deformation->vertices(hold.clamp(rate.seconds(n)), vertices);
      for (const Vec3& v : vertices) add(print, v);
    }
  }
  if (!body.shaders.empty()) add_shaders(print, body, rate, sounding);
}

void add_settings(util::Fingerprint& print, const base::WaveSettings& s) {
  for (double x : {s.max_frequency, s.accuracy, s.viscosity, s.kappa}) print.add(x);
  print.add(s.boundary), print.add(s.outside), print.add(s.far_field), print.add(s.precision);
  print.add(s.layer_cells), print.add(s.expansion_terms);
}

}  // namespace

fs::path ChunkCache::file(const std::string& key) const {
  return *folder_ / (key + std::string(suffix));
}

std::optional<ChunkSound> ChunkCache::find(const std::string& key) const {
  std::error_code error;
  if (!folder_ || !fs::is_regular_file(file(key), error)) return std::nullopt;
  try {
    return unpacked(util::read_file(file(key)));
  } catch (const util::InputError&) {
    return std::nullopt;  // unreadable: computed anew
  }
}

void ChunkCache::keep(const std::string& key, const ChunkSound& sound) const {
  if (folder_) util::write_file(file(key), packed(sound));
}

void ChunkCache::drop_others(std::span<const std::string> keys) const {
  std::error_code error;
  if (!folder_ || !fs::is_directory(*folder_, error)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(*folder_, error)) {
    const fs::path& path = entry.path();
    if (path.extension() == suffix && std::ranges::find(keys, path.stem().string()) == keys.end()) {
      fs::remove(path, error);
    }
  }
}

std::string chunk_key(const base::World& world, const base::WaveSettings& settings,
                      const Discretisation& discretisation, const Domain& domain,
                      const Chunk& chunk, std::span<const base::Receiver> receivers, double end) {
  util::Fingerprint print;
  print.add(util::version());
  print.add(solver_revision);
  add_settings(print, settings);
  for (double x : {world.medium.speed_of_sound, world.medium.density, discretisation.cell_size,
                   chunk.begin, chunk.end, end}) {
    print.add(x);
  }
  print.add(world.rate.hz), print.add(discretisation.rate.hz);
  print.add(chunk.continues), print.add(chunk.continued);
  add(print, domain.grid.origin);
  for (const Cell& cell : {domain.grid.size, domain.low, domain.high}) {
    print.add(std::span<const int>(cell));
  }
  const auto sample = [&](double t) {
    return static_cast<std::int64_t>(std::floor(world.rate.samples(t)));
  };
  const base::SampleRange range{sample(chunk.first_source()), sample(end) + 1};
  const base::SampleRange sounding{range.begin, sample(chunk.last_source()) + 1};
  for (const base::Body& body : world.bodies) {
    add_body(print, body, world.rate, sounding, range, chunk.hold);
  }
  for (const base::PointSource& source : world.sources) {
    add(print, source.offset);
    add_motion(print, *source.motion, world.rate, range, chunk.hold);
    const std::int64_t begin = source.motion->is_still() ? sounding.begin : 0;
    const base::Signal strength = source.shader->strength(world.rate, {begin, sounding.end});
    print.add(strength.start);
    print.add(std::span<const float>(strength.samples));
  }
  for (const base::Receiver& receiver : receivers) {
    add(print, receiver.offset);
    add_motion(print, *receiver.motion, world.rate, {range.begin, world.samples}, {});
  }
  return print.hex();
}

}  // namespace peal::wave
