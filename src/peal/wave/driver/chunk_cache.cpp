#include <peal/geometry/io/stored_mesh.h>
#include <peal/util/error.h>
#include <peal/wave/driver/chunk_cache.h>
#include <peal/wave/driver/wall_sequence.h>
#include <peal/wave/sources/area_means.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace peal::wave {

void serialize(util::Archive& archive, StoredChunk& chunk) {
  ChunkEnd& end = chunk.sound.end;
  archive.number(end.by_itself, end.sources_until, end.receivers_until, end.loudest, end.rest);
  archive.number(chunk.latest_end, chunk.scene_end);
  archive.text(chunk.motion);
  std::vector<base::Signal>& received = chunk.sound.received;
  received.resize(archive.count(received.size(), 3 * sizeof(std::uint64_t)));
  for (base::Signal& signal : received) {
    archive.number(signal.rate.hz, signal.start);
    archive.list(signal.samples);
    if (signal.rate.hz <= 0) throw util::InputError({}, "a sound without a rate");
  }
}

namespace {

void add(util::Fingerprint& fingerprint, const Vec3& v) {
  fingerprint.add(std::span<const double>(v.data(), 3));
}

/// Adds the pose of a frame at each sample, as one list: that is hashed at memory bandwidth.
void add_motion(util::Fingerprint& fingerprint, const base::Motion& motion, base::Rate rate,
                base::SampleRange range, const base::MotionSegment& segment) {
  fingerprint.add(motion.is_still());
  const std::int64_t end = motion.is_still() ? range.begin + 1 : range.end;
  std::vector<double> poses;
  poses.reserve(7 * static_cast<std::size_t>(std::max<std::int64_t>(0, end - range.begin)));
  for (std::int64_t n = range.begin; n < end; ++n) {
    const base::Pose pose = motion.pose(segment.clamp(rate.seconds(n)));
    poses.insert(poses.end(), pose.position.data(), pose.position.data() + 3);
    const Eigen::Vector4d& orientation = pose.orientation.coeffs();
    poses.insert(poses.end(), orientation.data(), orientation.data() + 4);
  }
  fingerprint.add(std::span<const double>(poses));
}

void add_shape(util::Fingerprint& fingerprint, const base::Body& body) {
  geometry::hash(body.mesh, fingerprint);
  fingerprint.add(std::span<const std::uint32_t>(body.triangle_part));
  fingerprint.add(body.is_sheet);
}

void add_deformation(util::Fingerprint& fingerprint, const base::Body& body, base::Rate rate,
                     base::SampleRange range, const base::MotionSegment& segment) {
  std::vector<Vec3> vertices = body.mesh.vertices;
  const std::int64_t millisecond = std::max<std::int64_t>(1, rate.hz / 1000);
  for (std::int64_t n = range.begin; n < range.end + millisecond; n += millisecond) {
    body.deformation->vertices(segment.clamp(rate.seconds(n)), vertices);
    fingerprint.add(geometry::components(std::as_const(vertices)));
  }
}

/// Adds every mesh that is the surface in the range, with its begin and end.
void add_sequence(util::Fingerprint& fingerprint, const base::SurfaceSequence& sequence,
                  base::Rate rate, base::SampleRange range, const base::MotionSegment& segment) {
  const double begin = segment.clamp(rate.seconds(range.begin));
  const double end = segment.clamp(rate.seconds(range.end));
  const std::span<const double> changes = sequence.changes();
  for (std::size_t n = sequence.number_at(begin); n <= sequence.number_at(end); ++n) {
    geometry::TriMesh shape = *sequence.mesh(n);
    const double from = n == 0 ? begin : std::max(begin, changes[n - 1]);
    const double to = n == changes.size() ? end : std::min(end, changes[n]);
    fingerprint.add(from), fingerprint.add(to);
    constexpr double millisecond = 1e-3;
    for (double t = from; t < to; t += millisecond) {
      sequence.vertices(n, t, shape.vertices);
      geometry::hash(shape, fingerprint);
    }
    sequence.vertices(n, to, shape.vertices);
    geometry::hash(shape, fingerprint);
  }
}

void add_settings(util::Fingerprint& fingerprint, const base::WaveSettings& s) {
  for (double x : {s.max_frequency, s.accuracy, s.viscosity, s.kappa}) fingerprint.add(x);
  fingerprint.add(s.boundary), fingerprint.add(s.outside), fingerprint.add(s.far_field),
      fingerprint.add(s.precision);
  fingerprint.add(s.layer_cells), fingerprint.add(s.expansion_terms);
}

void add_domain(util::Fingerprint& fingerprint, const Domain& domain,
                base::WaveSettings::FarField far_field) {
  add(fingerprint, domain.grid.origin);
  for (const Cell& cell : {domain.grid.size, domain.low, domain.high}) {
    fingerprint.add(std::span<const int>(cell));
  }
  // Mirror planes depend on where the sources are, and expansions begin outside of all content.
  if (!domain.crossing.empty())
    add(fingerprint, domain.core.min()), add(fingerprint, domain.core.max());
  if (far_field == base::WaveSettings::FarField::expansion) {
    fingerprint.add(expansion_start(domain));
  }
}

std::int64_t audio_sample(const ChunkRun& run, double t) {
  return static_cast<std::int64_t>(std::floor(run.world.rate.samples(t)));
}

/// The audio samples from which the sources' signals at the rate of the solver are made while the
/// chunk sounds.
base::SampleRange sounding_samples(const ChunkRun& run) {
  constexpr std::int64_t narrow = 64;  // of the converter, samples at the lower rate
  const std::int64_t reach =
      narrow * std::max<std::int64_t>(1, run.world.rate.hz / run.discretisation.rate.hz + 1);
  return {std::max<std::int64_t>(0, audio_sample(run, run.chunk.first_source()) - reach),
          std::min(run.world.samples, audio_sample(run, run.chunk.last_source()) + 1 + reach)};
}

/// The signal of a point source in the chunk, and before it if the source moves, since then its
/// flow counts. Empty if it is silent.
std::optional<base::Signal> strength_in(const ChunkRun& run, const base::PointSource& source) {
  base::SampleRange range = sounding_samples(run);
  if (!source.motion->is_still()) range.begin = 0;
  base::Signal strength = source.shader->strength(run.world.rate, range);
  const bool silent = std::ranges::all_of(strength.samples, [](float s) { return s == 0.0f; });
  return silent ? std::nullopt : std::optional(std::move(strength));
}

/// A hash of all motion from the first key of the chunk's walls to the end of its run.
std::string motion_fingerprint(const ChunkRun& run, const ChunkEnd& end) {
  util::Fingerprint fingerprint;
  const base::Rate rate = run.world.rate;
  const base::MotionSegment& segment = run.chunk.segment;
  const std::int64_t first = audio_sample(run, run.chunk.first_source()) - 1;
  const std::int64_t key =
      first_key(run.world, run.settings, run.discretisation, run.domain.grid, run.chunk);
  fingerprint.add(key);
  const double walls_from = run.discretisation.rate.seconds(key);
  const base::SampleRange seen{audio_sample(run, walls_from) - 1,
                               audio_sample(run, end.sources_until) + 2};
  const base::SampleRange received{first, audio_sample(run, end.receivers_until) + 2};
  for (const base::Body& body : run.world.bodies) {
    add_motion(fingerprint, *body.motion, rate, seen, segment);
    if (body.deformation) add_deformation(fingerprint, body, rate, seen, segment);
    if (body.sequence) add_sequence(fingerprint, *body.sequence, rate, seen, segment);
  }
  for (const base::PointSource& source : run.world.sources) {
    if (strength_in(run, source)) add_motion(fingerprint, *source.motion, rate, seen, segment);
  }
  for (const base::Receiver& receiver : run.receivers) {
    add_motion(fingerprint, *receiver.motion, rate, received, {});
    for (double jump : receiver.motion->jumps()) {
      if (jump <= end.receivers_until) fingerprint.add(jump);
    }
  }
  return fingerprint.hex();
}

/// Whether the run would end as the stored one did. A run that ended by itself, or at the same end
/// of the time of its domain, does not depend on the end of the scene if it depends on nothing
/// after that.
bool ends_alike(const StoredChunk& stored, const ChunkRun& run) {
  if (stored.latest_end == run.latest_end && stored.scene_end == run.scene_end()) return true;
  const ChunkEnd& end = stored.sound.end;
  const double shorter = std::min(stored.scene_end, run.scene_end());
  if (std::max(end.sources_until, end.receivers_until) >= shorter) return false;
  return end.by_itself ? end.sources_until < run.latest_end : stored.latest_end == run.latest_end;
}

StoredChunk to_store(const ChunkRun& run, const ChunkSound& sound) {
  return {.sound = sound,
          .latest_end = run.latest_end,
          .scene_end = run.scene_end(),
          .motion = motion_fingerprint(run, sound.end)};
}

}  // namespace

std::optional<ChunkSound> ChunkCache::find(const std::string& key, const ChunkRun& run) const {
  auto stored = store_.find<StoredChunk>(key);
  if (!stored || !ends_alike(*stored, run)) return std::nullopt;
  if (stored->motion != motion_fingerprint(run, stored->sound.end)) return std::nullopt;
  return std::move(stored->sound);
}

void ChunkCache::save(const std::string& key, const ChunkRun& run, const ChunkSound& sound) const {
  if (!store_.folder()) return;
  StoredChunk chunk = to_store(run, sound);
  store_.save(key, chunk);
}

void ChunkCache::save_or_throw(const std::string& key, const ChunkRun& run,
                               const ChunkSound& sound) const {
  StoredChunk chunk = to_store(run, sound);
  store_.save_or_throw(key, chunk);
}

std::string ChunkCache::problem(const std::string& key) const try {
  return util::check_entry(file(key), util::stored::wave_chunk, key) ? "is of another motion"
                                                                     : "is missing";
} catch (const util::EntryError& error) {
  const bool is_damaged = error.cause() == util::EntryError::Cause::damaged;
  return (is_damaged ? "is damaged (" : "cannot be used (") + error.problem() + ")";
}

std::string chunk_key(const ChunkRun& run) {
  util::Fingerprint fingerprint;
  add_settings(fingerprint, run.settings);
  const base::World& world = run.world;
  const Chunk& chunk = run.chunk;
  for (double x : {world.medium.speed_of_sound, world.medium.density, run.discretisation.cell_size,
                   chunk.begin, chunk.end}) {
    fingerprint.add(x);
  }
  fingerprint.add(world.rate.hz), fingerprint.add(run.discretisation.rate.hz);
  fingerprint.add(chunk.continues), fingerprint.add(chunk.continued);
  add_domain(fingerprint, run.domain, run.settings.far_field);
  const base::SampleRange sounding = sounding_samples(run);
  for (const base::Body& body : world.bodies) {
    add_shape(fingerprint, body);
    for (const auto& source : body.sources) {
      fingerprint.add(has_waves(*source));  // then walls are driven by means over their areas
      source->hash(world.rate, sounding, fingerprint);
    }
  }
  for (const base::PointSource& source : world.sources) {
    const std::optional<base::Signal> strength = strength_in(run, source);
    if (!strength) continue;
    add(fingerprint, source.offset);
    fingerprint.add(strength->start);
    fingerprint.add(std::span<const float>(strength->samples));
  }
  for (const base::Receiver& receiver : run.receivers) add(fingerprint, receiver.offset);
  return fingerprint.hex();
}

}  // namespace peal::wave
