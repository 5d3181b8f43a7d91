// The sound engine: peal::play::Engine as WebAssembly (web/core/engine_exports.cpp).

/** Starts a module that imports nothing. @param {WebAssembly.Module} module */
export function instantiate(module) {
  const { exports } = new WebAssembly.Instance(module, {});
  exports._initialize();
  return exports;
}

/** Calls into a module; what it throws becomes an error with its text. */
export function call(exports, work) {
  try {
    return work();
  } catch (error) {
    const bytes = new Uint8Array(exports.memory.buffer, exports.peal_message());
    const text = String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
    throw text ? new Error(text) : error;
  }
}

export class Engine {
  /** @param {WebAssembly.Module} module @param {number} rate [Hz] */
  constructor(module, rate) {
    this.wasm = instantiate(module);
    this.wasm.peal_start(rate);
    this.room = 0;
    this.reserve(256);
  }

  /** Makes room for doubles, which may move the memory. */
  reserve(doubles) {
    if (doubles <= this.room) return;
    this.room = 2 * doubles;
    this.at = this.wasm.peal_buffer(this.room);
    this.refresh();
  }

  refresh() {
    const memory = this.wasm.memory.buffer;
    this.doubles = new Float64Array(memory, this.at, this.room);
    this.floats = new Float32Array(memory, this.at, 2 * this.room);
    this.outputs = [0, 1].map((ear) => new Float32Array(memory, this.wasm.peal_output(ear), 128));
  }

  writeModes(frequencies, decays) {
    this.reserve(2 * frequencies.length);
    this.doubles.set(frequencies, 0);
    this.doubles.set(decays, frequencies.length);
  }

  /** The first `ringing` modes ring; `radiation` is their share of decay by it [1/s]. @returns the body's number */
  addBody(frequencies, decays, ringing = frequencies.length, radiation = null) {
    this.writeModes(frequencies, decays);
    const body = this.wasm.peal_add_body(frequencies.length, ringing);
    this.refresh();
    if (radiation) this.setRadiation(body, radiation);
    return body;
  }

  setRadiation(body, radiation) {
    this.doubles.set(radiation);
    this.wasm.peal_set_radiation(body, radiation.length);
  }

  removeBody(body) {
    this.wasm.peal_remove_body(body);
  }

  setModes(body, frequencies, decays, glide) {
    this.writeModes(frequencies, decays);
    this.wasm.peal_set_modes(body, glide);
  }

  /** Gains: complex for each mode, of the pressure at the middle of the head, which is at a distance [m]. */
  setGains(body, gains, distance, ramp) {
    this.reserve(gains.length);
    this.floats.set(gains);
    this.wasm.peal_set_gains(body, distance, ramp);
  }

  /** The delay [s] and filter of an ear. */
  setEar(body, ear, delay, taps, ramp) {
    this.floats.set(taps);
    this.wasm.peal_set_ear(body, ear, delay, taps.length, ramp);
  }

  /** Adds pressure at the middle of the head from a sample on. */
  play(body, start, pressure) {
    this.reserve(pressure.length);
    this.floats.set(pressure);
    this.wasm.peal_play(body, start, pressure.length);
  }

  /** A room of this volume [m^3], 0 for none, and its reverberation times [s]. */
  setRoom(volume, low, high) {
    this.wasm.peal_set_room(volume, low, high);
  }

  /** Energy given, in the modes, radiated, dissipated [J]. */
  account(body) {
    this.wasm.peal_account(body);
    return this.doubles.slice(0, 4);
  }

  strike(body, start, contactTime, impulse, gains) {
    this.floats.set(gains);
    return this.wasm.peal_strike(body, start, contactTime, impulse) !== 0;
  }

  scrape(body, contact, gains, force, rough, touch, ramp) {
    this.floats.set(gains);
    this.wasm.peal_scrape(body, contact, force, rough, touch, ramp);
  }

  hold(body, gains, damper) {
    this.floats.set(gains);
    this.wasm.peal_hold(body, damper);
  }

  silence(body) {
    this.wasm.peal_silence(body);
  }

  setVolume(volume, ramp) {
    this.wasm.peal_set_volume(volume, ramp);
  }

  now() {
    return this.wasm.peal_now();
  }

  limiterGain() {
    return this.wasm.peal_limiter_gain();
  }

  /** Amplitudes of the modes of a body. */
  amplitudes(body, count) {
    this.wasm.peal_amplitudes(body);
    return this.floats.slice(0, count);
  }

  /** The next samples (at most 128) are in `outputs`. */
  process(count) {
    this.wasm.peal_process(count);
  }
}
