// The engine in the audio thread. Messages name the engine's methods.
import { Engine } from './engine.js';

const meterEvery = 2400; // samples
const engineLatency = 72; // samples: what the limiter looks ahead, and the interpolation of the ears' delays
const waveSize = 1024; // samples of the sum of both ears for the pictures

class PealProcessor extends AudioWorkletProcessor {
  constructor(options) {
    super();
    const { bytes } = options.processorOptions;
    this.engine = new Engine(new WebAssembly.Module(bytes), sampleRate);
    this.bodies = new Map(); // the page's numbers to the engine's
    this.watched = null;
    this.wave = new Float32Array(waveSize);
    this.waveAt = 0;
    this.untilMeter = 0;
    this.recording = null;
    this.port.onmessage = ({ data }) => this.receive(data);
    for (const message of options.processorOptions.messages ?? []) this.receive(message);
  }

  receive(message) {
    try {
      this[message.type](message, this.bodies.get(message.body));
    } catch (error) {
      this.port.postMessage({ type: 'problem', text: String(error?.message ?? error) });
    }
  }

  add({ body, frequencies, decays, ringing, radiation }) {
    this.bodies.set(body, { number: this.engine.addBody(frequencies, decays, ringing, radiation), modes: frequencies.length });
  }
  remove({ body }, known) {
    if (known) this.engine.removeBody(known.number);
    this.bodies.delete(body);
  }
  modes({ frequencies, decays, radiation, glide }, known) {
    if (!known) return;
    this.engine.setModes(known.number, frequencies, decays, glide * sampleRate);
    this.engine.setRadiation(known.number, radiation);
  }
  ears({ gains, distance, delays, taps, ramp }, known) {
    if (!known) return;
    this.engine.setGains(known.number, gains, distance, ramp);
    known.delay = Math.min(...delays);
    for (const ear of [0, 1]) this.engine.setEar(known.number, ear, delays[ear], taps[ear], ramp);
  }
  room({ volume, low, high }) {
    this.engine.setRoom(volume, low, high);
  }
  /** `at`: seconds on the context's clock; absent: at once. */
  strike({ at, contactTime, impulse, gains, click, mark }, known) {
    if (!known) return;
    const late = at === undefined ? 0 : at * sampleRate - currentFrame;
    const start = this.engine.now() + Math.max(0, late);
    const fits = this.engine.strike(known.number, start, contactTime, impulse, gains);
    if (fits && click) this.engine.play(known.number, start, click);
    const frame = currentFrame + Math.max(0, late);
    this.port.postMessage({ type: 'struck', mark, fits, frame, onset: (frame + engineLatency) / sampleRate + (known.delay ?? 0) });
  }
  scrape({ contact, gains, force, rough, touch, ramp }, known) {
    if (known) this.engine.scrape(known.number, contact, gains, force, rough, touch, ramp);
  }
  hold({ gains, damper }, known) {
    if (known) this.engine.hold(known.number, gains, damper);
  }
  silence(message, known) {
    if (known) this.engine.silence(known.number);
  }
  volume({ volume }) {
    this.engine.setVolume(volume, 0.02 * sampleRate);
  }
  watch({ body }) {
    this.watched = body;
  }
  record({ on }) {
    this.recording = on ? [] : null;
    if (!on) this.port.postMessage({ type: 'recorded' });
  }

  meter() {
    const known = this.bodies.get(this.watched);
    this.port.postMessage({
      type: 'meter',
      time: currentTime,
      limiter: this.engine.limiterGain(),
      body: this.watched,
      account: known ? this.engine.account(known.number) : null,
      amplitudes: known ? this.engine.amplitudes(known.number, known.modes) : null,
    });
  }

  process(inputs, [output]) {
    const count = output[0].length;
    for (let done = 0; done < count; done += 128) {
      const part = Math.min(128, count - done);
      this.engine.process(part);
      const [left, right] = this.engine.outputs;
      output[0].set(left.subarray(0, part), done);
      output[1]?.set(right.subarray(0, part), done);
      this.keep(left, right, part);
    }
    this.untilMeter -= count;
    if (this.untilMeter <= 0) {
      this.untilMeter = meterEvery;
      this.meter();
    }
    return true;
  }

  keep(left, right, count) {
    for (let n = 0; n < count; ++n) {
      this.wave[this.waveAt++] = 0.5 * (left[n] + right[n]);
      if (this.waveAt < waveSize) continue;
      this.port.postMessage({ type: 'wave', samples: this.wave.slice(), end: currentTime });
      this.waveAt = 0;
    }
    if (this.recording) {
      const both = new Float32Array(2 * count);
      for (let n = 0; n < count; ++n) {
        both[2 * n] = left[n];
        both[2 * n + 1] = right[n];
      }
      this.port.postMessage({ type: 'samples', samples: both }, [both.buffer]);
    }
  }
}

registerProcessor('peal', PealProcessor);
