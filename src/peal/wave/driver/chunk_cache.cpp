#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/fingerprint.h>
#include <peal/util/version.h>
#include <peal/wave/driver/chunk_cache.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace peal::wave {

namespace {

namespace fs = std::filesystem;

/// To be raised when the solver computes other numbers from the same input.
constexpr int solver_revision = 3;

constexpr std::string_view magic = "peal-chunk-2\n";
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
  std::string take_text(std::size_t size) {
    whole = whole && rest.size() >= size;
    if (!whole) return {};
    const std::string text(rest.substr(0, size));
    rest.remove_prefix(size);
    return text;
  }
};

std::string checksum(std::string_view bytes) {
  util::Fingerprint sum;
  sum.add(bytes);
  return sum.hex();
}

/// What a file holds.
struct KeptChunk {
  ChunkSound sound;
  double latest_end = 0.0, scene_end = 0.0;  ///< what limited the run [s]
  std::string motion;                        ///< the number for all motion that it saw
};

constexpr std::size_t print_size = 32;  ///< of a fingerprint [characters]

std::string packed(const KeptChunk& kept) {
  std::string bytes(magic);
  const ChunkEnd& end = kept.sound.end;
  put(bytes, static_cast<std::uint8_t>(end.by_itself));
  for (double x : {end.looked_until, end.heard_until, end.loudest, end.rest, kept.latest_end,
                   kept.scene_end}) {
    put(bytes, x);
  }
  bytes += kept.motion;
  put(bytes, static_cast<std::uint64_t>(kept.sound.heard.size()));
  for (const base::Signal& signal : kept.sound.heard) {
    put(bytes, signal.rate.hz);
    put(bytes, signal.start);
    put(bytes, static_cast<std::uint64_t>(signal.samples.size()));
    for (float sample : signal.samples) put(bytes, sample);
  }
  return bytes + checksum(bytes);
}

std::optional<KeptChunk> unpacked(std::string_view bytes) {
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + print_size) return std::nullopt;
  const std::string_view content = bytes.substr(0, bytes.size() - print_size);
  if (checksum(content) != bytes.substr(content.size())) return std::nullopt;
  Reader reader{content.substr(magic.size())};
  KeptChunk kept;
  ChunkEnd& end = kept.sound.end;
  end.by_itself = reader.take<std::uint8_t>() != 0;
  for (double* x : {&end.looked_until, &end.heard_until, &end.loudest, &end.rest, &kept.latest_end,
                    &kept.scene_end}) {
    *x = reader.take<double>();
  }
  kept.motion = reader.take_text(print_size);
  const auto count = reader.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && reader.whole; ++i) {
    base::Signal signal;
    signal.rate.hz = reader.take<std::int64_t>();
    signal.start = reader.take<std::int64_t>();
    const auto samples = reader.take<std::uint64_t>();
    if (samples > reader.rest.size() / sizeof(float)) return std::nullopt;
    for (std::uint64_t k = 0; k < samples; ++k) signal.samples.push_back(reader.take<float>());
    kept.sound.heard.push_back(std::move(signal));
  }
  if (!reader.whole || !reader.rest.empty()) return std::nullopt;
  return kept;
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

void add(util::Fingerprint& print, const geometry::TriMesh& mesh) {
  print.add(mesh.vertices.size()), print.add(mesh.triangles.size());
  for (const Vec3& v : mesh.vertices) add(print, v);
  for (const geometry::Triangle& t : mesh.triangles) {
    print.add(std::span<const std::uint32_t>(t.data(), 3));
  }
}

void add_shape(util::Fingerprint& print, const base::Body& body) {
  add(print, body.mesh);
  print.add(std::span<const std::uint32_t>(body.triangle_part));
  print.add(body.is_sheet);
}

void add_deformation(util::Fingerprint& print, const base::Body& body, base::Rate rate,
                     base::SampleRange range, const base::Piece& hold) {
  std::vector<Vec3> vertices = body.mesh.vertices;
  const std::int64_t millisecond = std::max<std::int64_t>(1, rate.hz / 1000);
  for (std::int64_t n = range.begin; n < range.end + millisecond; n += millisecond) {
    body.deformation->vertices(hold.clamp(rate.seconds(n)), vertices);
    for (const Vec3& v : vertices) add(print, v);
  }
}

/// Every mesh that is the surface in the range, where it begins and ends to be.
void add_sequence(util::Fingerprint& print, const base::SurfaceSequence& sequence, base::Rate rate,
                  base::SampleRange range, const base::Piece& hold) {
  const double begin = hold.clamp(rate.seconds(range.begin));
  const double end = hold.clamp(rate.seconds(range.end));
  const std::span<const double> changes = sequence.changes();
  for (std::size_t n = sequence.number_at(begin); n <= sequence.number_at(end); ++n) {
    geometry::TriMesh shape = *sequence.mesh(n);
    const double from = n == 0 ? begin : std::max(begin, changes[n - 1]);
    const double to = n == changes.size() ? end : std::min(end, changes[n]);
    print.add(from), print.add(to);
    constexpr double millisecond = 1e-3;
    for (double t = from; t < to; t += millisecond) {
      sequence.vertices(n, t, shape.vertices);
      add(print, shape);
    }
    sequence.vertices(n, to, shape.vertices);
    add(print, shape);
  }
}

void add_settings(util::Fingerprint& print, const base::WaveSettings& s) {
  for (double x : {s.max_frequency, s.accuracy, s.viscosity, s.kappa}) print.add(x);
  print.add(s.boundary), print.add(s.outside), print.add(s.far_field), print.add(s.precision);
  print.add(s.layer_cells), print.add(s.expansion_terms);
}

void add_domain(util::Fingerprint& print, const Domain& domain,
                base::WaveSettings::FarField far_field) {
  add(print, domain.grid.origin);
  for (const Cell& cell : {domain.grid.size, domain.low, domain.high}) {
    print.add(std::span<const int>(cell));
  }
  // Mirrors are found by what sounds, and expansions begin outside of everything.
  if (!domain.crossing.empty()) add(print, domain.core.min()), add(print, domain.core.max());
  if (far_field == base::WaveSettings::FarField::expansion) {
    print.add(expansion_start(domain));
  }
}

std::int64_t audio_sample(const ChunkRun& run, double t) {
  return static_cast<std::int64_t>(std::floor(run.world.rate.samples(t)));
}

/// The samples that the solver's rate is made from while the chunk's sources sound.
base::SampleRange sounding_samples(const ChunkRun& run) {
  constexpr std::int64_t reach = 64;  // of the converter
  return {std::max<std::int64_t>(0, audio_sample(run, run.chunk.first_source()) - reach),
          std::min(run.world.samples, audio_sample(run, run.chunk.last_source()) + 1 + reach)};
}

/// What a point source does in the chunk, and before if it moves: then its flow is what counts.
/// Nothing if it is silent.
std::optional<base::Signal> strength_in(const ChunkRun& run, const base::PointSource& source) {
  base::SampleRange range = sounding_samples(run);
  if (!source.motion->is_still()) range.begin = 0;
  base::Signal strength = source.shader->strength(run.world.rate, range);
  const bool silent = std::ranges::all_of(strength.samples, [](float s) { return s == 0.0f; });
  return silent ? std::nullopt : std::optional(std::move(strength));
}

/// A number for how everything moves from the chunk's first source to the end of its run.
std::string motion_print(const ChunkRun& run, const ChunkEnd& end) {
  util::Fingerprint print;
  const base::Rate rate = run.world.rate;
  const base::Piece& hold = run.chunk.hold;
  const std::int64_t first = audio_sample(run, run.chunk.first_source()) - 1;
  const base::SampleRange seen{first, audio_sample(run, end.looked_until) + 2};
  const base::SampleRange heard{first, audio_sample(run, end.heard_until) + 2};
  for (const base::Body& body : run.world.bodies) {
    add_motion(print, *body.motion, rate, seen, hold);
    if (body.deformation) add_deformation(print, body, rate, seen, hold);
    if (body.sequence) add_sequence(print, *body.sequence, rate, seen, hold);
  }
  for (const base::PointSource& source : run.world.sources) {
    if (strength_in(run, source)) add_motion(print, *source.motion, rate, seen, hold);
  }
  for (const base::Receiver& receiver : run.receivers) {
    add_motion(print, *receiver.motion, rate, heard, {});
    for (double jump : receiver.motion->jumps()) {
      if (jump <= end.heard_until) print.add(jump);
    }
  }
  return print.hex();
}

/// Whether the run would end as the kept one did. What ended by itself, or at the same end of its
/// domain's time, does not feel where the scene ends, if it heard nothing after that.
bool ends_alike(const KeptChunk& kept, const ChunkRun& run) {
  if (kept.latest_end == run.latest_end && kept.scene_end == run.scene_end()) return true;
  const ChunkEnd& end = kept.sound.end;
  const double shorter = std::min(kept.scene_end, run.scene_end());
  if (std::max(end.looked_until, end.heard_until) >= shorter) return false;
  return end.by_itself ? end.looked_until < run.latest_end : kept.latest_end == run.latest_end;
}

}  // namespace

fs::path ChunkCache::file(const std::string& key) const {
  return *folder_ / (key + std::string(suffix));
}

std::optional<ChunkSound> ChunkCache::find(const std::string& key, const ChunkRun& run) const {
  std::error_code error;
  if (!folder_ || !fs::is_regular_file(file(key), error)) return std::nullopt;
  try {
    std::optional<KeptChunk> kept = unpacked(util::read_file(file(key)));
    if (!kept || !ends_alike(*kept, run)) return std::nullopt;
    if (kept->motion != motion_print(run, kept->sound.end)) return std::nullopt;
    return std::move(kept->sound);
  } catch (const util::InputError&) {
    return std::nullopt;  // unreadable: computed anew
  }
}

void ChunkCache::keep(const std::string& key, const ChunkRun& run, const ChunkSound& sound) const {
  if (!folder_) return;
  util::write_file(file(key), packed({.sound = sound,
                                      .latest_end = run.latest_end,
                                      .scene_end = run.scene_end(),
                                      .motion = motion_print(run, sound.end)}));
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

std::string chunk_key(const ChunkRun& run) {
  util::Fingerprint print;
  print.add(util::version());
  print.add(solver_revision);
  add_settings(print, run.settings);
  const base::World& world = run.world;
  const Chunk& chunk = run.chunk;
  for (double x : {world.medium.speed_of_sound, world.medium.density, run.discretisation.cell_size,
                   chunk.begin, chunk.end}) {
    print.add(x);
  }
  print.add(world.rate.hz), print.add(run.discretisation.rate.hz);
  print.add(chunk.continues), print.add(chunk.continued);
  add_domain(print, run.domain, run.settings.far_field);
  const base::SampleRange sounding = sounding_samples(run);
  for (const base::Body& body : world.bodies) {
    add_shape(print, body);
    for (const auto& source : body.sources) source->hash(world.rate, sounding, print);
  }
  for (const base::PointSource& source : world.sources) {
    const std::optional<base::Signal> strength = strength_in(run, source);
    if (!strength) continue;
    add(print, source.offset);
    print.add(strength->start);
    print.add(std::span<const float>(strength->samples));
  }
  for (const base::Receiver& receiver : run.receivers) add(print, receiver.offset);
  return print.hex();
}

}  // namespace peal::wave
