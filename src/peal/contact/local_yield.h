#pragma once

#include <peal/contact/oscillator_step.h>

#include <vector>

namespace peal::contact {

/// What gives way at one contact along its normal and is not a known mode. All of it is exact for a
/// force that is constant over a step.
///
/// - The modes above a cut-off frequency w_c, with the density G of their squared shapes: for two
///   octaves as bands of a third of an octave, each an oscillator in the middle of its band, u'' +
///   2 d u' + w^2 u = G (w_2 - w_1) F with w^2 = w_1 w_2 and d = (w_2 - w_1) / 2, so that no band
///   echoes; above those, at w_e, as a state without mass, a spring w_e / G beside a dashpot
///   2 / (pi G). Below the cut that is their static compliance G / w_c, above it the mobility pi G
///   / 2 of an endless plate.
/// - Waves that leave for good: u' = Y F.
class LocalYield {
 public:
  explicit LocalYield(double h) : h_(h) {}  ///< length of the steps [s]

  void add_unknown_modes(double density, double cut);  ///< G [s/kg], w_c [rad/s]
  void add_mobility(double mobility);                  ///< Y [m/(N s)]

  /// By which the surfaces will have given way after the next step without force [m], and what 1 N
  /// over it adds [m/N].
  double free_position() const;
  double compliance() const;
  /// Speed at the start and at the end of a step with the force [N], before it is taken [m/s].
  double speed_before(double force) const;
  double speed_after(double force) const;
  /// Takes a step; returns the work that the force did [J].
  double advance(double force);
  /// Takes this many steps without force.
  void leap(unsigned steps);
  double position() const;  ///< by which the surfaces give way now [m]
  double fastest() const;   ///< upper bound of the speed from now on without force [m/s]

 private:
  struct Band {
    OscillatorStep step;
    double w;                 ///< [rad/s]
    double density;           ///< G (w_2 - w_1) [1/kg]
    double u = 0.0, v = 0.0;  ///< [m], [m/s]
  };
  struct State {
    double rate;     ///< pi w_e / 2 [1/s]
    double hold;     ///< exp(-rate h)
    double yield;    ///< G / w_e [m/N]
    double u = 0.0;  ///< [m]
  };
  double h_;               ///< [s]
  double mobility_ = 0.0;  ///< Y [m/(N s)]
  double left_ = 0.0;      ///< by the waves that left [m]
  std::vector<Band> bands_;
  std::vector<State> states_;
};

}  // namespace peal::contact
