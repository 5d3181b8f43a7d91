#include <peal/play/engine.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

// The sound engine as WebAssembly: what the AudioWorklet calls. Numbers that belong to modes are
// handed over in one buffer, which the caller fills before a call; nothing that sounds allocates.

namespace {

using peal::base::Mode;
using peal::play::Engine;
using peal::play::PlayedBody;

struct State {
  Engine engine;
  /// Doubles and floats by turns, so aligned for either.
  std::vector<double> buffer;
  std::array<std::array<float, peal::play::block_size>, peal::play::ears> output = {};
  std::vector<Mode> modes;

  explicit State(int rate) : engine(peal::base::Rate{rate}) {}

  float* floats() { return reinterpret_cast<float*>(buffer.data()); }
  PlayedBody* body(int number) { return engine.body(static_cast<std::size_t>(number)); }
  /// The frequencies of `count` modes, then their decay rates.
  std::span<const Mode> read_modes(std::size_t count) {
    modes.resize(count);
    for (std::size_t i = 0; i < count; ++i) modes[i] = {buffer[i], buffer[count + i]};
    return modes;
  }
  std::span<const float> read_gains(const PlayedBody& body) {
    return {floats(), body.bank().size()};
  }
};

std::unique_ptr<State> state;

}  // namespace

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

/// Begins anew, at this sample rate [Hz].
EXPORT(peal_start)(int rate)->void {
  state = std::make_unique<State>(rate);
}

/// The buffer, with room for this many doubles; may move other memory, so that views are stale.
EXPORT(peal_buffer)(int doubles)->double* {
  if (state->buffer.size() < static_cast<std::size_t>(doubles))
    state->buffer.resize(static_cast<std::size_t>(doubles));
  return state->buffer.data();
}

/// Buffer: frequencies [Hz], decay rates [1/s]; the first `ringing` modes ring.
EXPORT(peal_add_body)(int modes, int ringing)->int {
  return static_cast<int>(state->engine.add_body(state->read_modes(static_cast<std::size_t>(modes)),
                                                 static_cast<std::size_t>(ringing)));
}

/// Buffer: by how much each ringing mode decays faster because it radiates [1/s].
EXPORT(peal_set_radiation)(int body, int ringing)->void {
  if (PlayedBody* to = state->body(body))
    to->set_radiation(std::span(state->buffer).first(static_cast<std::size_t>(ringing)));
}

EXPORT(peal_remove_body)(int body)->void {
  state->engine.remove_body(static_cast<std::size_t>(body));
}

/// Buffer: frequencies [Hz], decay rates [1/s].
EXPORT(peal_set_modes)(int body, int glide)->void {
  if (PlayedBody* to = state->body(body))
    to->set_modes(state->read_modes(to->bank().size()), glide);
}

/// Buffer: complex gains of all modes, as floats. The distance in metres.
EXPORT(peal_set_gains)(int body, double distance, int ramp)->void {
  PlayedBody* to = state->body(body);
  if (!to) return;
  const auto* gains = reinterpret_cast<const std::complex<float>*>(state->floats());
  to->set_gains({gains, to->bank().size()}, distance, ramp);
}

/// Buffer: taps of the filter of an ear, as floats. The delay in seconds.
EXPORT(peal_set_ear)(int body, int ear, double delay, int taps, int ramp)->void {
  if (PlayedBody* to = state->body(body))
    to->set_ear(static_cast<std::size_t>(ear), delay,
                {state->floats(), static_cast<std::size_t>(taps)}, ramp);
}

/// Buffer: pressure at the middle of the head, as floats. `start` in samples.
EXPORT(peal_play)(int body, double start, int samples)->void {
  if (PlayedBody* to = state->body(body))
    to->play(start, {state->floats(), static_cast<std::size_t>(samples)});
}

/// A room of this volume [m^3], 0 for none; reverberation times at low and high frequencies [s].
EXPORT(peal_set_room)(double volume, double low, double high)->void {
  state->engine.room().set(volume, low, high);
}

/// Writes to the buffer what energy was given, is in the modes, was radiated and dissipated [J].
EXPORT(peal_account)(int body)->void {
  PlayedBody* of = state->body(body);
  if (!of) return;
  const peal::play::EnergyAccount& account = of->bank().account();
  const double values[] = {account.given, account.in_modes, account.radiated, account.dissipated};
  std::copy(std::begin(values), std::end(values), state->buffer.begin());
}

/// Buffer: gains. `start` in samples; returns 0 if there are too many strikes.
EXPORT(peal_strike)(int body, double start, double contact_time, double impulse)->int {
  PlayedBody* to = state->body(body);
  return to && to->strike(start, contact_time, impulse, state->read_gains(*to));
}

/// Buffer: gains. Force in newton, both frequencies in hertz.
EXPORT(peal_scrape)
(int body, int contact, double force, double rough, double touch, int ramp)->void {
  if (PlayedBody* to = state->body(body))
    to->scrape(static_cast<std::size_t>(contact), state->read_gains(*to), force, rough, touch,
               ramp);
}

/// Buffer: gains. The damper in N s/m.
EXPORT(peal_hold)(int body, double damper)->void {
  if (PlayedBody* to = state->body(body)) to->hold(state->read_gains(*to), damper);
}

EXPORT(peal_silence)(int body)->void {
  if (PlayedBody* to = state->body(body)) to->silence();
}

EXPORT(peal_set_volume)(double volume, int ramp)->void {
  state->engine.set_volume(volume, ramp);
}

EXPORT(peal_output)(int ear)->float* {
  return state->output[static_cast<std::size_t>(ear)].data();
}

/// Writes the next samples to both outputs.
EXPORT(peal_process)(int count)->void {
  state->engine.process(count, std::array<float*, peal::play::ears>{state->output[0].data(),
                                                                    state->output[1].data()});
}

EXPORT(peal_now)()->double {
  return static_cast<double>(state->engine.now());
}

/// Writes the amplitude of each mode to the buffer, as floats.
EXPORT(peal_amplitudes)(int body)->void {
  PlayedBody* of = state->body(body);
  if (!of) return;
  for (std::size_t i = 0; i < of->bank().size(); ++i)
    state->floats()[i] = static_cast<float>(of->bank().amplitude(i));
}

/// The smallest gain of the limiter since the last call.
EXPORT(peal_limiter_gain)()->float {
  return state->engine.limiter().take_smallest_gain();
}
