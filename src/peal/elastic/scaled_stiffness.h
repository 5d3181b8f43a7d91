#pragma once

#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/selective_mass_scaling.h>
#include <peal/elastic/solid.h>

#include <vector>

namespace peal::elastic {

/// The operator A = M^-1/2 K M^-1/2 of a solid [1/s^2] on vectors of 3 n numbers: all x, all y, all
/// z. K times a vector is a difference of two forces. Entries of directions that are not free are
/// zero.
class ScaledStiffness {
 public:
  /// Linearises about `positions`. The positions and the solid must outlive the operator.
  ScaledStiffness(const Solid& solid, const FreeAxes& free, const Nodes& positions);

  std::size_t size() const { return scale_.size(); }
  const std::vector<double>& scale() const { return scale_; }

  /// q = A p.
  void apply(const std::vector<double>& p, std::vector<double>& q);
  /// M^-1/2 times forces [N].
  std::vector<double> scaled(const Nodes& forces) const;

 private:
  template <std::size_t count>
  void spread(const std::vector<MassScaledNodes<count>>& all, std::vector<double>& p) const;
  void spread(std::vector<double>& p) const;
  void ride(std::vector<double>& u) const;
  void pass_on(Nodes& forces) const;
  void apply_lumped(const std::vector<double>& p, std::vector<double>& q);
  void push(double step, Nodes& forces);

  const Solid& solid_;
  std::vector<MassScaledNodes<2>> pairs_;
  std::vector<MassScaledNodes<4>> sections_;
  const Nodes& positions_;
  Nodes here_, one_, other_;
  std::vector<double> scale_, spread_, moved_;
  double length_;  ///< largest displacement of the differences [m]
};

}  // namespace peal::elastic
