#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/repair/box_split.h>
#include <peal/scene/describe.h>
#include <peal/scene/read_signal.h>
#include <peal/sounds/shader_context.h>
#include <peal/sounds/speaker.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::sounds {

using base::Rate;
using base::SampleRange;
using base::Signal;
using geometry::Vec3;
using util::JsonObject;
using util::JsonValue;

namespace {

/// The sound goes on a little after the scene's end, so that a filter over the last samples finds
/// no edge there [s].
constexpr double beyond_the_end = 0.1;
constexpr double shortest_silence = 0.02;  ///< worth a gap [s]

std::string words(const scene::WholeSurface&) {
  return "the whole surface";
}
std::string words(const std::string& group) {
  return fmt::format("the faces \"{}\"", group);
}
std::string words(const std::vector<std::uint32_t>& faces) {
  return fmt::format("{} face{} by number", faces.size(), faces.size() == 1 ? "" : "s");
}
std::string words(const geometry::Box&) {
  return "the faces in a box";
}

class PlayedSurface : public scene::SoundOf<SpeakerSound> {
 public:
  using SoundOf::SoundOf;

  std::string describe() const override {
    const std::string faces =
        std::visit([](const auto& part) { return words(part); }, settings.faces);
    return scene::describe(settings.signal) +
           fmt::format(", {:g} m/s^2 of {}", settings.acceleration, faces) +
           scene::describe_playing_time(settings.start, settings.duration);
  }
  const scene::Faces* patch() const override { return &settings.faces; }
  void add_to(scene::SoundContext& context) const override {
    if (context.body == nullptr) {
      throw util::InputError({"", context.object.location},
                             "a speaker needs a surface, and there is none");
    }
    context.body->sources.push_back(
        std::make_shared<Speaker>(settings, context.patch, shader_context(context)));
  }
};

std::string corner(const Vec3& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z());
}

std::string read_group(const JsonValue& value, const scene::SoundingSurface& surface) {
  const std::string label = value.text("the name of a group of faces");
  if (!surface.mesh || label.empty()) return label;
  const std::vector<std::string>& groups = surface.mesh->groups;
  if (groups.empty()) {
    value.report(fmt::format("the mesh has no groups, and so none called \"{}\"", label),
                 "Name faces by their numbers, or by a box around them.");
  } else if (std::ranges::none_of(
                 groups, [&](const auto& group) { return geometry::has_label(group, label); })) {
    value.report(fmt::format("the mesh has no group called \"{}\"", label),
                 util::suggest(label, groups));
  }
  return label;
}

std::vector<std::uint32_t> read_numbers(const JsonValue& value,
                                        const scene::SoundingSurface& surface) {
  std::vector<std::uint32_t> faces;
  for (const JsonValue& item : value.list(1, "a list of face numbers")) {
    const std::size_t problems = value.problems().count();
    faces.push_back(static_cast<std::uint32_t>(item.integer(0, 4294967294)));
    if (value.problems().count() != problems || !surface.mesh) continue;
    const std::size_t count = surface.mesh->triangles.size();
    if (faces.back() < count) continue;
    item.report(fmt::format("there is no face {}: the mesh has {} triangles", faces.back(), count),
                fmt::format("They are counted from 0: the last one is {}.", count - 1));
  }
  return faces;
}

geometry::Box read_patch_box(const JsonValue& value, const scene::SoundingSurface& surface) {
  const std::size_t problems = value.problems().count();
  JsonObject object(value, "a group, a list of face numbers, or {\"box\": {...}}");
  const auto found = object.require("box", "\"box\": {\"min\": [...], \"max\": [...]}");
  const geometry::Box box =
      found ? scene::read_box(*found) : geometry::Box(Vec3::Zero(), Vec3::Ones());
  object.finish();
  if (value.problems().count() != problems || !surface.mesh) return box;
  if (surface.deforms) {
    value.report("faces of a deforming surface cannot be chosen by a box",
                 "Name them by their group or their numbers.");
  } else if (const auto split = geometry::split_by_box(*surface.mesh, box);
             std::ranges::none_of(split.inside, [](bool inside) { return inside; })) {
    const geometry::Box bounds = geometry::bounds(*surface.mesh);
    value.report("the box contains no part of the surface",
                 fmt::format("The object reaches from {} to {} m in its own frame.",
                             corner(bounds.min()), corner(bounds.max())));
  }
  return box;
}

scene::Faces read_faces(const JsonValue& value, const scene::SoundingSurface& surface) {
  if (value.json().is_string()) return read_group(value, surface);
  if (value.json().is_array()) return read_numbers(value, surface);
  return read_patch_box(value, surface);
}

}  // namespace

std::shared_ptr<const scene::Sound> make_sound(const SpeakerSound& settings) {
  return std::make_shared<PlayedSurface>(settings);
}

std::shared_ptr<const scene::Sound> read_speaker(const JsonValue& value,
                                                 const scene::SoundingSurface& surface,
                                                 const scene::ReadContext& context) {
  JsonObject object(value, "a speaker");
  SpeakerSound speaker{.signal = scene::read_signal(object, context)};
  if (!surface.given) {
    value.report("a speaker needs a surface, and this object has none",
                 "Give the object a \"mesh\" or a \"shape\".");
  }
  if (const auto faces = object.find("faces")) speaker.faces = read_faces(*faces, surface);
  speaker.acceleration = object.number(
      "acceleration",
      {.min = 0, .max = 1e6, .unit = "m/s^2", .reason = "a hundred thousand times that of a fall"},
      speaker.acceleration);
  const scene::PlayingTime time = scene::read_playing_time(object, context);
  speaker.start = time.start;
  speaker.duration = time.duration;
  object.finish();
  return make_sound(speaker);
}

Speaker::Speaker(const SpeakerSound& sound, std::vector<bool> patch,
                 const shaders::ShaderContext& context)
    : playback_(sound.signal, {sound.start, sound.duration, sound.acceleration}, context),
      patch_(std::move(patch)),
      length_(context.rate.seconds(context.samples)) {}

const Signal& Speaker::signal(Rate rate) const {
  const Signal* latest = latest_.load(std::memory_order_acquire);
  if (latest != nullptr && latest->rate == rate) return *latest;
  const std::lock_guard lock(mutex_);
  auto known = std::ranges::find(signals_, rate, &Signal::rate);
  if (known == signals_.end()) {
    const auto end = static_cast<std::int64_t>(std::ceil(rate.samples(length_ + beyond_the_end)));
    known = signals_.insert(signals_.end(), playback_.play(rate, {0, end}));
  }
  latest_.store(&*known, std::memory_order_release);
  return *known;
}

base::SurfaceBasis Speaker::basis(std::span<const base::SurfacePoint> points) const {
  base::SurfaceBasis::Dense column(static_cast<Eigen::Index>(points.size()), 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_driven = patch_.empty() || patch_[points[i].triangle];
    column(static_cast<Eigen::Index>(i)) = is_driven ? 1.0f : 0.0f;
  }
  return base::SurfaceBasis(std::move(column));
}

void Speaker::coefficients(Rate rate, SampleRange range, base::Coefficients& out) const {
  const Signal& played = signal(rate);
  out.setZero(1, range.size());
  const std::int64_t begin = std::max(range.begin, played.start);
  const std::int64_t end =
      std::min(range.end, played.start + static_cast<std::int64_t>(played.samples.size()));
  for (std::int64_t n = begin; n < end; ++n) {
    out(0, n - range.begin) = played.samples[static_cast<std::size_t>(n - played.start)];
  }
}

void Speaker::hash(Rate rate, SampleRange range, util::Fingerprint& fingerprint) const {
  for (const bool is_in_patch : patch_) fingerprint.add(is_in_patch);
  const Signal played = playback_.play(rate, range);
  fingerprint.add(played.start);
  fingerprint.add(std::span<const float>(played.samples));
}

std::vector<SampleRange> Speaker::active(Rate rate, SampleRange range) const {
  const Signal& played = signal(rate);
  const auto gap = static_cast<std::int64_t>(rate.samples(shortest_silence));
  const std::int64_t begin = std::max(range.begin, played.start);
  const std::int64_t end =
      std::min(range.end, played.start + static_cast<std::int64_t>(played.samples.size()));
  std::vector<SampleRange> stretches;
  for (std::int64_t n = begin; n < end; ++n) {
    if (played.samples[static_cast<std::size_t>(n - played.start)] == 0.0f) continue;
    if (stretches.empty() || n - stretches.back().end >= gap) stretches.push_back({n, n});
    stretches.back().end = n + 1;
  }
  return stretches;
}

}  // namespace peal::sounds
