#include <peal/explore/body_data.h>
#include <peal/explore/head_data.h>
#include <peal/listener/head.h>
#include <peal/listener/rigid_sphere.h>
#include <peal/util/fft.h>
#include <peal/util/smoothstep.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace peal::explore {

namespace {

constexpr base::Rate page_rate{48000};
constexpr std::size_t azimuths = 48, elevations = 25;      // 7.5 degrees
constexpr std::size_t page_taps = 120, before_onset = 20;  // [samples]
constexpr std::size_t page_fade = 24;                      // [samples]
/// Sources nearer or farther than the measured ones: what that changes for a rigid sphere (Kan, Jin
/// & van Schaik 2009), at distances that are evenly spaced in 1/r from the measured one on, after
/// an endless one.
constexpr std::size_t near_distances = 10, near_angles = 19;  // 10 degrees
constexpr std::size_t near_taps = 40, near_before = 6;        // [samples]
constexpr double endless = 1000.0, nearest = 1.15;            // [radii]
/// Added to all delays, so that none is negative: an ear is early by up to a radius over the speed
/// of sound, and so are the taps before the onsets [s].
constexpr double common_delay = 0.85e-3;

/// Values as multiples of a scale that makes the largest 32767.
struct Quantised {
  double scale = 1.0;
  std::vector<std::int16_t> values;
};

Quantised quantised(const std::vector<float>& values) {
  float largest = 1e-30f;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  Quantised result{.scale = static_cast<double>(largest) / 32767.0};
  for (const float value : values)
    result.values.push_back(
        static_cast<std::int16_t>(std::lround(static_cast<double>(value) / result.scale)));
  return result;
}

/// How a head's response changes with distance: a filter and a delay for each distance and angle
/// from the ear's axis.
nlohmann::ordered_json nearness_json(double measured, double speed_of_sound, DataFile& data) {
  using listener::Head;
  using Complex = std::complex<double>;
  util::RealFft fft(256);
  std::vector<Complex> spectrum(fft.bins());
  std::vector<double> time(fft.size()), distances;
  std::vector<float> filters, delays;
  const double nearest_distance = nearest * Head::radius;
  const double from = std::max(measured, nearest_distance);
  for (std::size_t step = 0; step < near_distances; ++step) {
    const double part = (static_cast<double>(step) - 1.0) / (near_distances - 2);
    distances.push_back(step == 0 ? endless * Head::radius
                                  : 1.0 / ((1.0 - part) / from + part / nearest_distance));
    for (std::size_t angle = 0; angle < near_angles; ++angle) {
      const double cosine = std::cos(std::numbers::pi * static_cast<double>(angle) /
                                     static_cast<double>(near_angles - 1));
      const auto delay = [&](double distance) {
        return listener::sphere_delay(Head::radius, distance, cosine, speed_of_sound);
      };
      const double late = delay(distances.back()) - delay(from);
      const double before = page_rate.seconds(near_before);
      delays.push_back(static_cast<float>(late - before));
      for (std::size_t k = 0; k < spectrum.size(); ++k) {
        const double f = static_cast<double>(k) * static_cast<double>(page_rate.hz) /
                         static_cast<double>(fft.size());
        const auto response = [&](double distance) {
          return listener::sphere_response(f, Head::radius, distance, cosine, speed_of_sound);
        };
        spectrum[k] = response(distances.back()) / response(from) *
                      std::polar(1.0, 2.0 * std::numbers::pi * f * (late - before));
      }
      fft.inverse(spectrum, time);
      for (std::size_t n = 0; n < near_taps; ++n) {
        const double x = static_cast<double>(near_taps - n) / (0.3 * near_taps);
        filters.push_back(static_cast<float>(util::smoothstep(std::min(x, 1.0)) * time[n]));
      }
    }
  }
  const Quantised whole = quantised(filters);
  nlohmann::ordered_json json{{"distances_m", distances},
                              {"angles", near_angles},
                              {"taps", near_taps},
                              {"scale", whole.scale}};
  json["delays"] = data.add(delays);
  json["filters"] = data.add(whole.values);
  return json;
}

}  // namespace

std::string head_data(std::shared_ptr<const base::MeasuredHead> measured,
                      const base::Medium& medium) {
  const double distance = measured->distance;
  const listener::Head head(measured, medium, listener::Head::Equalisation::diffuse_field);
  head.prepare(page_rate);
  util::RealFft fft(head.taps(page_rate));
  std::vector<std::complex<double>> spectrum(fft.bins());
  std::vector<double> time(fft.size());
  std::vector<float> filters, delays;
  for (std::size_t e = 0; e < elevations; ++e) {
    const double up = std::numbers::pi * (static_cast<double>(e) / (elevations - 1) - 0.5);
    for (std::size_t a = 0; a < azimuths; ++a) {
      const double turn = 2.0 * std::numbers::pi * static_cast<double>(a) / azimuths;
      // Clockwise from the front, seen from above.
      const geometry::Vec3 from =
          distance * geometry::Vec3(std::cos(up) * std::sin(turn), std::sin(up),
                                    -std::cos(up) * std::cos(turn));
      for (std::size_t ear = 0; ear < listener::Head::ears; ++ear) {
        const double delay = head.aligned(ear, page_rate, from, spectrum);
        const double early = page_rate.seconds(before_onset);
        delays.push_back(static_cast<float>(std::max(delay + common_delay - early, 0.0)));
        fft.inverse(spectrum, time);
        for (std::size_t n = 0; n < page_taps; ++n) {
          const double x = static_cast<double>(page_taps - n) / static_cast<double>(page_fade);
          const double value = time[(n + fft.size() - before_onset) % fft.size()];
          filters.push_back(static_cast<float>(util::smoothstep(x) * value));
        }
      }
    }
  }
  const Quantised whole = quantised(filters);
  DataFile data;
  nlohmann::ordered_json json{
      {"name", measured->name},        {"rate_hz", page_rate.hz}, {"azimuths", azimuths},
      {"elevations", elevations},      {"taps", page_taps},       {"scale", whole.scale},
      {"common_delay_s", common_delay}};
  json["delays"] = data.add(delays);
  json["filters"] = data.add(whole.values);
  json["nearness"] = nearness_json(distance, medium.speed_of_sound, data);
  return data.with(json);
}

}  // namespace peal::explore
