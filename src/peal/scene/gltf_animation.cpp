#include <peal/scene/gltf_accessor.h>
#include <peal/scene/gltf_nodes.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace peal::scene::gltf {

namespace {

Interpolation interpolation_of(const Value& sampler) {
  const auto value = sampler.find("interpolation");
  if (!value || value->text() == "LINEAR") return Interpolation::linear;
  if (value->text() == "STEP") return Interpolation::step;
  if (value->text() == "CUBICSPLINE") return Interpolation::cubic_spline;
  value->fail(fmt::format("is \"{}\", but must be STEP, LINEAR or CUBICSPLINE",
                          value->text().substr(0, 100)));
}

std::vector<double> read_times(Document& document, const Value& input) {
  std::vector<double> times = read_numbers(document, input, 1, Integers::refused);
  if (times.empty()) input.fail("an animation needs at least one key");
  const auto bad =
      std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return a >= b; });
  if (bad != times.end()) {
    input.fail(fmt::format("key times must rise: key {} is at {} s, the next at {} s",
                           bad - times.begin(), *bad, *(bad + 1)));
  }
  return times;
}

template <class T>
Track<T> read_track(Document& document, const Value& sampler) {
  constexpr int width = T::RowsAtCompileTime;
  Track<T> track;
  track.interpolation = interpolation_of(sampler);
  track.times = read_times(document, sampler.at("input"));
  const Value output = sampler.at("output");
  const std::vector<double> numbers = read_numbers(document, output, width, Integers::normalized);
  // A spline's key has three elements: arriving tangent, value, leaving tangent.
  const bool spline = track.interpolation == Interpolation::cubic_spline;
  const std::size_t per_key = spline ? 3 : 1;
  const std::size_t elements = numbers.size() / static_cast<std::size_t>(width);
  if (elements != per_key * track.times.size()) {
    output.fail(fmt::format("has {} elements, but {} keys need {}", elements, track.times.size(),
                            per_key * track.times.size()));
  }
  const auto element = [&](std::size_t i) -> T {
    return Eigen::Map<const T>(numbers.data() + i * static_cast<std::size_t>(width));
  };
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    if (spline) track.in_tangents.push_back(element(3 * i));
    track.values.push_back(element(spline ? 3 * i + 1 : i));
    if (spline) track.out_tangents.push_back(element(3 * i + 2));
  }
  return track;
}

/// Keys of all morph targets at once: `targets` numbers stand for each element.
Track<Weights> read_weight_track(Document& document, const Value& sampler, std::size_t targets) {
  Track<Weights> track;
  track.interpolation = interpolation_of(sampler);
  track.times = read_times(document, sampler.at("input"));
  const Value output = sampler.at("output");
  const std::vector<double> numbers = read_numbers(document, output, 1, Integers::normalized);
  const bool spline = track.interpolation == Interpolation::cubic_spline;
  const std::size_t elements = (spline ? 3 : 1) * track.times.size();
  if (numbers.size() != elements * targets) {
    output.fail(fmt::format("has {} weights, but {} keys of {} morph targets need {}",
                            numbers.size(), track.times.size(), targets, elements * targets));
  }
  document.charge(elements * (sizeof(Weights) + 32), output);
  const auto element = [&](std::size_t i) -> Weights {
    return Eigen::Map<const Weights>(numbers.data() + i * targets,
                                     static_cast<Eigen::Index>(targets));
  };
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    if (spline) track.in_tangents.push_back(element(3 * i));
    track.values.push_back(element(spline ? 3 * i + 1 : i));
    if (spline) track.out_tangents.push_back(element(3 * i + 2));
  }
  return track;
}

void normalize(Track<Eigen::Vector4d>& track, const Value& output) {
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    const double length = track.values[i].norm();
    if (!(length > 1e-6)) {
      output.fail(fmt::format("the rotation of key {} is zero: not a quaternion", i));
    }
    track.values[i] /= length;
  }
}

template <class T>
bool same(const Track<T>& a, const Track<T>& b) {
  return a.interpolation == b.interpolation && a.times == b.times && a.values == b.values &&
         a.in_tangents == b.in_tangents && a.out_tangents == b.out_tangents;
}

std::string label(const Value& animation) {
  const auto name = animation.find("name");
  return name ? fmt::format("\"{}\"", name->text().substr(0, 100)) : animation.path();
}

class AnimationReader {
 public:
  AnimationReader(Document& document, GltfFile& file) : document_(document), file_(file) {}

  void read(const Value& animation) {
    const Value channels = animation.at("channels");
    const Value samplers = animation.at("samplers");
    const std::size_t sampler_count = samplers.array_size();
    for (std::size_t i = 0; i < channels.array_size(); ++i) {
      const Value channel = channels.at(i);
      const int sampler = channel.at("sampler").index(sampler_count, "samplers in this animation");
      read_channel(animation, channel.at("target"), samplers.at(static_cast<std::size_t>(sampler)));
    }
  }

 private:
  void read_channel(const Value& animation, const Value& target, const Value& sampler) {
    const Value path = target.at("path");
    const auto index = target.find("node");
    const int node = index ? index->index(file_.nodes.size(), "nodes") : -1;
    const std::size_t targets = index ? target_count(node) : 0;
    if (!index || path.text() == "pointer" || (path.text() == "weights" && targets == 0)) {
      file_.notices.push_back(fmt::format("{}: animation of \"{}\" is left out", target.path(),
                                          path.text().substr(0, 100)));
      return;
    }
    GltfNode& moved = file_.nodes[static_cast<std::size_t>(node)];
    AnimatedTransform& transform = moved.transform;
    if (path.text() == "translation") {
      location(animation, node, path, read_track<geometry::Vec3>(document_, sampler),
               transform.translation);
    } else if (path.text() == "rotation") {
      auto track = read_track<Eigen::Vector4d>(document_, sampler);
      normalize(track, sampler.at("output"));
      location(animation, node, path, std::move(track), transform.rotation);
    } else if (path.text() == "scale") {
      location(animation, node, path, read_track<geometry::Vec3>(document_, sampler),
               transform.scale);
    } else if (path.text() == "weights") {
      location(animation, node, path, read_weight_track(document_, sampler, targets),
               moved.weights);
    } else {
      path.fail(fmt::format("is \"{}\", but must be translation, rotation, scale or weights",
                            path.text().substr(0, 100)));
    }
  }

  /// Morph targets of the node's mesh.
  std::size_t target_count(int node) const {
    const int mesh = file_.nodes[static_cast<std::size_t>(node)].mesh;
    return mesh < 0 ? 0 : file_.morphs[static_cast<std::size_t>(mesh)].displacements.size();
  }

  /// The first animation wins; a second that says something else is remembered as a conflict.
  template <class T>
  void location(const Value& animation, int node, const Value& path, Track<T> track,
                Track<T>& into) {
    file_.duration = std::max(file_.duration, track.times.back());
    file_.first_key = std::min(file_.first_key, track.times.front());
    for (std::size_t i = 1; i < track.times.size(); ++i) {
      file_.key_interval = std::min(file_.key_interval, track.times[i] - track.times[i - 1]);
    }
    const auto [first, is_new] = animated_.try_emplace({node, path.text()}, label(animation));
    if (is_new) {
      into = std::move(track);
    } else if (!same(track, into)) {
      std::string& conflict = file_.nodes[static_cast<std::size_t>(node)].conflict;
      if (conflict.empty()) {
        conflict = fmt::format("animations {} and {} both move its {}", first->second,
                               label(animation), path.text());
      }
    }
  }

  Document& document_;
  GltfFile& file_;
  std::map<std::pair<int, std::string>, std::string> animated_;  ///< node, path -> animation
};

}  // namespace

void read_animations(Document& document, GltfFile& file) {
  AnimationReader reader(document, file);
  for (std::size_t i = 0; i < document.count("animations"); ++i) {
    reader.read(document.item("animations", i));
  }
}

}  // namespace peal::scene::gltf
