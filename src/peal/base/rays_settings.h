#pragma once

namespace peal::base {

/// Settings of the radiator `rays` (radiation/rays.h).
struct RaysSettings {
  enum class Form {
    kirchhoff,  ///< the whole surface, with the pressure that a sphere of its size would feel
    rayleigh,   ///< the visible part, as if set into a wall
    paper,      ///< the visible part, by O'Brien, Cook & Essl 2001, equations 2 to 11
  };

  Form form = Form::kirchhoff;
  double max_frequency = 16000.0;  ///< up to which the surface's motion is resolved [Hz]
};

}  // namespace peal::base
