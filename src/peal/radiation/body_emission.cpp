#include <peal/radiation/body_emission.h>
#include <peal/radiation/direct.h>
#include <peal/util/fft.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::radiation {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double block_edge = 0.7e-3;  ///< at both ends of a block, for the ringing of the taper
constexpr double shortest_event =
    0.5e-3;  ///< blocks have room for this, or 4, 16, ... times as much
constexpr std::int64_t events_at_once = 64;
constexpr std::int64_t modes_at_once = 4096;  ///< samples
constexpr std::int64_t key_distance = 128;  ///< samples between gains of modes, where little turns
constexpr double turn_between_keys = 0.3;   ///< largest phase at the ball by turning [rad]

std::size_t block_for(const base::RigidDrive::Event& event, double response, base::Rate rate) {
  double room = shortest_event;
  while (room < event.end - event.begin) room *= 4.0;
  return util::fast_fft_size(
      static_cast<std::size_t>(std::ceil(rate.samples(response + room + 2.0 * block_edge))));
}

}  // namespace

TabledClicks::TabledClicks(std::shared_ptr<const base::RigidDrive> drive,
                           std::shared_ptr<const base::RigidRadiation> table, base::Rate rate)
    : drive_(std::move(drive)), table_(std::move(table)), events_(drive_->events()) {
  for (const base::RigidDrive::Event& event : events_) {
    lengths_.push_back(block_for(event, table_->duration(), rate));
    if (!fields_.contains(lengths_.back()))
      fields_.try_emplace(lengths_.back(), *table_, rate, lengths_.back());
  }
}

std::int64_t TabledClicks::longest() const {
  return lengths_.empty() ? 0 : static_cast<std::int64_t>(std::ranges::max(lengths_));
}

base::Signal BodyEmission::strength(base::Rate rate, base::SampleRange range) const {
  base::Signal signal{.rate = rate, .start = range.begin};
  signal.samples.assign(static_cast<std::size_t>(range.size()), 0.0f);
  for (const auto& one : clicks) add_clicks(*one, signal);
  for (const auto& one : modes) add_modes(*one, signal);
  return signal;
}

BodyEmission::View BodyEmission::view(const Vec3& centre, double t) const {
  const base::Pose pose = body_.motion->pose(t);
  const Vec3 source = pose.to_world(centre);
  const auto position = [&](double time) {
    return receiver_.motion->pose(time).to_world(receiver_.offset);
  };
  // The receiver when the sound arrives; it moves far slower than sound.
  Vec3 real = position(t), apparent = real;
  for (int i = 0; i < 4; ++i) {
    apparent = mirror_ != nullptr ? mirror_->mirrored(real) : real;
    if (receiver_.motion->is_still()) break;
    real = position(t + (apparent - source).norm() / world_.medium.speed_of_sound);
  }
  View view;
  const Vec3 way = apparent - source;
  view.distance = way.norm();
  view.direction = view.distance > 0.0 ? Vec3(pose.orientation.conjugate() * (way / view.distance))
                                       : Vec3(Vec3::UnitY());
  if (mirror_ != nullptr && !mirror_->reflects(source, real)) view.gain = 0.0f;
  return view;
}

void BodyEmission::add_clicks(const TabledClicks& one, base::Signal& signal) const {
  const base::RigidRadiation& table = one.table();
  const base::Rate rate = signal.rate;
  const auto first = signal.start;
  const auto last = first + static_cast<std::int64_t>(signal.samples.size());
  const auto edge = static_cast<std::int64_t>(rate.samples(block_edge));
  const double ahead = table.radius / world_.medium.speed_of_sound;
  struct Block {
    std::int64_t start = 0;
    std::vector<float> samples;
  };
  std::vector<std::size_t> heard;
  const auto start_of = [&](std::size_t event) {
    return static_cast<std::int64_t>(std::floor(rate.samples(one.events()[event].begin - ahead))) -
           edge;
  };
  for (std::size_t e = 0; e < one.events().size(); ++e) {
    const std::int64_t start = start_of(e);
    if (start < last && start + static_cast<std::int64_t>(one.field(e).block()) > first)
      heard.push_back(e);
  }
  const Vec3 arm = table.centre - one.drive().pivot();
  const auto block_of = [&](std::size_t e) {
    const RigidField& field = one.field(e);
    const double begin = one.events()[e].begin;
    Block block{.start = start_of(e), .samples = {}};
    const View seen = view(table.centre, begin);
    if (seen.gain == 0.0f) return block;
    RigidField::Response response;
    field.response(seen.direction, std::max(seen.distance, table.radius), response);
    base::RigidDrive::Spectra drive(6, static_cast<Eigen::Index>(field.bins()));
    one.drive().spectra(e, field.spacing(), drive);
    std::vector<Complex> spectrum(field.block() / 2 + 1);
    const double lag = begin - ahead - rate.seconds(block.start);
    const double scale =
        static_cast<double>(rate.hz) * std::max(seen.distance, DirectRadiator::smallest_distance);
    const Complex turn = std::polar(1.0, -2.0 * pi * field.spacing() * lag);
    Complex phase = scale;
    for (std::size_t b = 0; b < field.bins(); ++b, phase *= turn) {
      const auto column = static_cast<Eigen::Index>(b);
      // From the motion of the pivot to that of the centre of expansion.
      const Eigen::Vector3cd angular = drive.col(column).tail<3>();
      Eigen::Vector3cd linear = drive.col(column).head<3>();
      linear.real() += angular.real().cross(arm);
      linear.imag() += angular.imag().cross(arm);
      Complex sum = 0.0;
      for (Eigen::Index m = 0; m < 3; ++m) {
        sum += linear[m] * Complex(response(m, column)) +
               angular[m] * Complex(response(3 + m, column));
      }
      spectrum[b] = phase * sum;
    }
    util::RealFft fft(field.block());
    std::vector<double> samples(field.block());
    fft.inverse(spectrum, samples);
    block.samples.assign(samples.begin(), samples.end());
    return block;
  };
  for (std::size_t from = 0; from < heard.size(); from += events_at_once) {
    const std::size_t count = std::min<std::size_t>(events_at_once, heard.size() - from);
    std::vector<Block> blocks(count);
    util::parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
      blocks[static_cast<std::size_t>(i)] = block_of(heard[from + static_cast<std::size_t>(i)]);
    });
    for (const Block& block : blocks) {
      const auto end = block.start + static_cast<std::int64_t>(block.samples.size());
      for (std::int64_t n = std::max(block.start, first); n < std::min(end, last); ++n)
        signal.samples[static_cast<std::size_t>(n - first)] +=
            block.samples[static_cast<std::size_t>(n - block.start)];
    }
  }
}

void BodyEmission::add_modes(const TabledModes& one, base::Signal& signal) const {
  const auto first = signal.start;
  const auto last = first + static_cast<std::int64_t>(signal.samples.size());
  std::vector<base::SampleRange> parts;
  for (const base::SampleRange& active : one.source->active(signal.rate, {first, last})) {
    // Parts begin at multiples of their length, so that a sample is the same in any range.
    for (std::int64_t begin = active.begin; begin < active.end;) {
      const std::int64_t next = (begin / modes_at_once + 1) * modes_at_once;
      parts.push_back({begin, std::min(next, active.end)});
      begin = parts.back().end;
    }
  }
  util::parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t i) {
    add_stretch(one, parts[static_cast<std::size_t>(i)], signal);
  });
}

void BodyEmission::add_stretch(const TabledModes& one, base::SampleRange stretch,
                               base::Signal& signal) const {
  const base::Rate rate = signal.rate;
  base::Coefficients now, later;
  one.drive->accelerations(rate, stretch, now, later);
  const auto count = std::min(static_cast<Eigen::Index>(one.field.modes()), now.rows());
  using Gains = Eigen::VectorXcf;
  struct Key {
    View seen;
    Gains gains;
  };
  const auto key_at = [&](std::int64_t index) {
    Key key{view(one.table->centre, rate.seconds(index)),
            Gains(static_cast<Eigen::Index>(one.field.modes()))};
    const double distance = std::max(key.seen.distance, one.table->radius);
    one.field.gains(key.seen.direction, distance,
                    std::span(key.gains.data(), static_cast<std::size_t>(key.gains.size())));
    key.gains *= key.seen.gain *
                 static_cast<float>(std::max(key.seen.distance, DirectRadiator::smallest_distance));
    return key;
  };
  const auto add = [&](const Key& from, const Key& to, std::int64_t begin, std::int64_t end) {
    const std::int64_t first = std::max(begin, stretch.begin), last = std::min(end, stretch.end);
    const Eigen::Index samples = std::max<std::int64_t>(0, last - first);
    if (samples == 0) return;
    const Eigen::ArrayXf x =
        (Eigen::ArrayXf::LinSpaced(samples, 0.0f, static_cast<float>(samples - 1)) +
         static_cast<float>(first - begin)) /
        static_cast<float>(end - begin);
    Eigen::Map<Eigen::ArrayXf> out(&signal.samples[static_cast<std::size_t>(first - signal.start)],
                                   samples);
    for (Eigen::Index j = 0; j < count; ++j) {
      const std::complex<float> gain = from.gains[j], change = to.gains[j] - gain;
      const auto a = now.row(j).segment(first - stretch.begin, samples).array().transpose();
      const auto b = later.row(j).segment(first - stretch.begin, samples).array().transpose();
      out += (gain.real() + x * change.real()) * a - (gain.imag() + x * change.imag()) * b;
    }
  };
  const double sensitivity = one.field.highest_wavenumber() * one.table->radius;
  const bool still = body_.is_still() && receiver_.motion->is_still();
  const auto floor_key = [](std::int64_t n) {
    return (n >= 0 ? n / key_distance : -((key_distance - 1 - n) / key_distance)) * key_distance;
  };
  Key from = key_at(floor_key(stretch.begin));
  for (std::int64_t begin = floor_key(stretch.begin); begin < stretch.end; begin += key_distance) {
    if (still) {
      add(from, from, begin, begin + key_distance);
      continue;
    }
    const Key to = key_at(begin + key_distance);
    const double angle =
        std::acos(std::clamp(from.seen.direction.dot(to.seen.direction), -1.0, 1.0));
    std::int64_t distance = key_distance;
    while (distance > 1 &&
           angle * sensitivity * static_cast<double>(distance) / static_cast<double>(key_distance) >
               turn_between_keys)
      distance /= 2;
    for (std::int64_t at = begin; at < begin + key_distance; at += distance) {
      const bool is_last = at + distance == begin + key_distance;
      Key next = is_last ? to : key_at(at + distance);
      add(from, next, at, at + distance);
      from = std::move(next);
    }
  }
}

}  // namespace peal::radiation
