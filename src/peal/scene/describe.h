#pragma once

#include <peal/scene/scene.h>

#include <optional>
#include <string>

namespace peal::scene {

/// A signal in words: "tone of 440 Hz".
std::string describe(const SignalSound& signal);

/// When it plays, in words to follow these: ", from t = 1 s, for 2 s".
std::string describe_playing_time(double start, const std::optional<double>& duration);

/// The word of the scene format for a solver.
std::string describe(Solver solver);

/// The word of the scene format for a radiation model.
std::string describe(Radiation::Model model);

/// The word of the scene format for a kind of listener.
std::string describe(Listener::Kind kind);

/// A collision shape in words: "a ball of radius 0.02 m".
std::string describe(const CollisionShape& shape);

}  // namespace peal::scene
