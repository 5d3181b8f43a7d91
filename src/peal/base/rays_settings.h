#pragma once

namespace peal::base {

/// Settings of the radiation of surfaces along straight rays (radiation/rays.h).
struct RaysSettings {
  enum class Form {
    kirchhoff,  ///< the whole surface, with the pressure on a sphere of its size
    rayleigh,   ///< the visible part, as if set into a wall
    paper,      ///< the visible part, by O'Brien, Cook & Essl 2001, equations 2 to 11
  };

  Form form = Form::kirchhoff;
  /// Highest frequency at which the surface's motion is resolved [Hz].
  double max_frequency = 16000.0;
};

}  // namespace peal::base
