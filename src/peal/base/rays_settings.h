#pragma once

namespace peal::base {

/// How surfaces are heard along straight rays (radiation/rays.h).
struct RaysSettings {
  enum class Form {
    kirchhoff,  ///< the whole surface, with the pressure that a sphere of its size would feel
    rayleigh,   ///< what can be seen, as if set into a wall
    paper,      ///< what can be seen, by O'Brien, Cook & Essl 2001, equations 2 to 11
  };

  Form form = Form::kirchhoff;
  double max_frequency = 16000.0;  ///< up to which the surface's motion is resolved [Hz]
};

}  // namespace peal::base
