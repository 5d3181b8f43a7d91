// The ears of a head: responses for directions on a grid (peal::explore::head_data), or those of a sphere.
import { dot, earDelay, headShadow } from './physics.js';
import { readArrays } from './files.js';

const identity = Float32Array.of(1);

/** Both ears receive the pressure at the middle of the head. */
export const noHead = { ears: () => ({ delays: [0, 0], taps: [identity, identity] }) };

/** A rigid sphere (Brown & Duda 1998): its shadow as a filter of first order, cut to 64 taps. */
export class SphereHead {
  constructor(rate, speedOfSound) {
    this.rate = rate;
    this.speedOfSound = speedOfSound;
  }

  ears(direction) {
    const delays = [], taps = [];
    for (const axis of [[-1, 0, 0], [1, 0, 0]]) {
      const angle = Math.acos(Math.max(-1, Math.min(1, dot(axis, direction))));
      delays.push(earDelay(angle, this.speedOfSound));
      taps.push(headShadow(this.rate, angle, this.speedOfSound));
    }
    return { delays, taps };
  }
}

export class MeasuredHead {
  /** @param {ArrayBuffer} buffer a .peal-head file @param rate of the context [Hz] */
  constructor(buffer, rate) {
    const { json, array } = readArrays(buffer);
    Object.assign(this, { azimuths: json.azimuths, elevations: json.elevations, name: json.name });
    this.delays = array(Float32Array, json.delays);
    const filters = array(Int16Array, json.filters);
    this.taps = Math.min(Math.ceil((json.taps * rate) / json.rate_hz), 128);
    this.filters = resampled(filters, json.scale, json.taps, this.taps, json.rate_hz / rate);
  }

  /** Delays [s] and taps of both ears for a direction in the frame of the head (-z is in front, x right). */
  ears([x, y, z]) {
    const around = ((Math.atan2(x, -z) / (2 * Math.PI) + 1) % 1) * this.azimuths;
    const up = (Math.asin(Math.max(-1, Math.min(1, y))) / Math.PI + 0.5) * (this.elevations - 1);
    const a = Math.floor(around), e = Math.min(Math.floor(up), this.elevations - 2);
    const [u, v] = [around - a, up - e];
    const delays = [0, 0], taps = [new Float32Array(this.taps), new Float32Array(this.taps)];
    for (const [column, row, share] of [[a, e, (1 - u) * (1 - v)], [a + 1, e, u * (1 - v)], [a, e + 1, (1 - u) * v], [a + 1, e + 1, u * v]]) {
      const place = 2 * (row * this.azimuths + (column % this.azimuths));
      for (const ear of [0, 1]) {
        delays[ear] += share * this.delays[place + ear];
        const from = (place + ear) * this.taps;
        for (let n = 0; n < this.taps; ++n) taps[ear][n] += share * this.filters[from + n];
      }
    }
    return { delays, taps };
  }
}

/** Filters of `from` taps, one after another, as filters of `to` taps with `step` samples between them (windowed sinc). */
function resampled(values, scale, from, to, step) {
  const count = values.length / from;
  const result = new Float32Array(count * to);
  if (step === 1) return result.map((_, i) => scale * values[i]);
  const reach = 8, band = Math.min(1, 1 / step); // of the lower rate
  for (let n = 0; n < to; ++n) {
    const middle = n * step;
    for (let k = Math.max(0, Math.ceil(middle - reach)); k <= Math.min(from - 1, middle + reach); ++k) {
      const x = middle - k, angle = Math.PI * band * x;
      const weight = step * scale * band * (x === 0 ? 1 : Math.sin(angle) / angle) * Math.cos((Math.PI * x) / (2 * reach + 1)) ** 2;
      for (let f = 0; f < count; ++f) result[f * to + n] += weight * values[f * from + k];
    }
  }
  return result;
}
