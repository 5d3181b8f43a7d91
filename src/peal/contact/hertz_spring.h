#pragma once

namespace peal::contact {

/// The spring of Hertz's theory between two bodies, with a dent that takes energy.
///
/// While it is pressed deeper than ever, F = k x^1.5. From the deepest point m on it unloads, and
/// loads again, along
///
///   F = k m^1.5 ((x - p) / (m - p))^1.5,   p = (1 - e^2) m,
///
/// which gives back e^2 of the energy: rigid bodies part with Newton's e at any speed and mass.
/// Each touch loses so: after the bodies have parted (part()) the spring is as new, and begins at
/// the bottom of the dent, p.
///
/// The force of a step is the discrete gradient of the energy W, (W(x1) - W(x0)) / (x1 - x0)
/// (Gonzalez 1996), so that what the spring takes is exactly what it stores or loses.
class HertzSpring {
 public:
  /// `stiffness`: k = 4/3 E* sqrt(r) [N/m^1.5]; `restitution`: e, taken as at least `least` [1].
  HertzSpring(double stiffness, double restitution);

  /// Below it a rebound cannot be heard; the steps of an impact are chosen for it.
  static constexpr double least = 0.05;

  /// Depth at which it begins to push [m].
  double surface() const { return dent_; }
  /// The mean force over a way from the depth x0 to x1 [N].
  double mean_force(double x0, double x1) const;
  /// F at a depth [N].
  double force(double x) const;
  /// dF/dx [N/m].
  double slope(double x) const;
  /// Moves to the end of a step of `time` [s] from x0 to x1 [m] with the speeds v0 and v1 [m/s] at
  /// its ends: what is lost is decided where the motion turns back.
  void advance(double x0, double x1, double v0, double v1, double time);
  /// The bodies have parted: the surfaces are new, and depths count from the bottom of the dent,
  /// which is returned [m].
  double part();

  /// Energy that it would give back from a depth on [J].
  double stored(double x) const;
  /// Energy that the dent took [J].
  double lost() const { return lost_; }
  /// The smallest of all depths at which it acts at full loss: e^2.
  double returned() const { return returned_; }

 private:
  double virgin_energy(double x) const;

  double stiffness_;        ///< k [N/m^1.5]
  double returned_;         ///< e^2 [1]
  double turned_ = 0.0;     ///< m, depth of the last turn from which it unloads [m]
  double dent_ = 0.0;       ///< p [m]
  double unloading_ = 0.0;  ///< k (m / (m - p))^1.5 [N/m^1.5]
  double deepest_ = 0.0;    ///< within a step, of all turns [m]
  double lost_ = 0.0;       ///< [J]
};

}  // namespace peal::contact
