#include <peal/explore/body_data.h>
#include <peal/explore/head_data.h>
#include <peal/listener/head.h>
#include <peal/util/fft.h>
#include <peal/util/smoothstep.h>

#include <nlohmann/json.hpp>

#include <algorithm>
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
/// Added to all delays, so that none is negative: the near ear is early, and so are the taps before
/// the onset [s].
constexpr double common_delay = 0.35e-3;

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
  float largest = 0.0f;
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
          largest = std::max(largest, std::abs(filters.back()));
        }
      }
    }
  }
  const double scale = static_cast<double>(largest) / 32767.0;
  std::vector<std::int16_t> values;
  for (const float value : filters)
    values.push_back(static_cast<std::int16_t>(std::lround(static_cast<double>(value) / scale)));
  DataFile data;
  nlohmann::ordered_json json{
      {"name", measured->name},        {"rate_hz", page_rate.hz}, {"azimuths", azimuths},
      {"elevations", elevations},      {"taps", page_taps},       {"scale", scale},
      {"common_delay_s", common_delay}};
  json["delays"] = data.add(delays);
  json["filters"] = data.add(values);
  return data.with(json);
}

}  // namespace peal::explore
