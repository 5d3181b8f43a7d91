#pragma once

#include <peal/base/directional_response.h>
#include <peal/base/measured_head.h>
#include <peal/base/medium.h>
#include <peal/scene/scene.h>

#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <span>

namespace peal::listener {

/// Head-related transfer functions for any direction and distance, from a measured set.
///
/// The onset of each response is taken out; what remains is interpolated linearly between the three
/// directions around (DirectionGrid), and so is the delay. Sources that are nearer or farther than
/// the measured ones differ from them as for a rigid sphere (Kan, Jin & van Schaik 2009). Below 150
/// to 300 Hz, where loudspeakers leave no sound to measure, the response is that of the sphere.
///
/// Levels: sets hold the loudspeaker, and many the ear canal. With `diffuse_field`, the mean power
/// over all directions is made that of the rigid sphere at each frequency by a filter of minimum
/// phase, the same for all directions: differences between directions and ears stay. Otherwise one
/// gain does so between 300 Hz and 1 kHz.
class Head {
 public:
  using Equalisation = scene::Listener::Equalisation;
  static constexpr double radius = 0.0875;  ///< of the sphere [m]
  static constexpr std::size_t ears = 2;    ///< left, right

  Head(std::shared_ptr<const base::MeasuredHead> measured, const base::Medium& medium,
       Equalisation equalisation);
  ~Head();

  /// Makes the tables of a rate, which filter() and aligned() read; not while these run.
  void prepare(base::Rate rate) const;
  std::size_t taps(base::Rate rate) const;
  std::size_t lead(base::Rate rate) const;
  void filter(std::size_t ear, base::Rate rate, const geometry::Vec3& from,
              std::span<float> out) const;
  /// Pressure at the ear over that at the middle of the head without it, at the frequencies of a
  /// transform of taps() values, and its delay [s], which is not in it.
  double aligned(std::size_t ear, base::Rate rate, const geometry::Vec3& from,
                 std::span<std::complex<double>> out) const;

 private:
  struct Tables;
  Tables make_tables(base::Rate rate) const;

  std::shared_ptr<const base::MeasuredHead> measured_;
  double speed_of_sound_;
  Equalisation equalisation_;
  mutable std::map<std::int64_t, Tables> tables_;  ///< by rate
};

/// One ear of a head.
class EarOfHead : public base::DirectionalResponse {
 public:
  EarOfHead(std::shared_ptr<const Head> head, std::size_t ear)
      : head_(std::move(head)), ear_(ear) {}
  void prepare(base::Rate rate) const override { head_->prepare(rate); }
  std::size_t taps(base::Rate rate) const override { return head_->taps(rate); }
  std::size_t lead(base::Rate rate) const override { return head_->lead(rate); }
  void filter(base::Rate rate, const geometry::Vec3& from, std::span<float> out) const override {
    head_->filter(ear_, rate, from, out);
  }

 private:
  std::shared_ptr<const Head> head_;
  std::size_t ear_;
};

}  // namespace peal::listener
