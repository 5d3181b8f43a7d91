// The ears of a head: responses for directions on a grid (peal::explore::head_data), or those of a sphere.
import { dot, earDelay, headShadow } from './physics.js';
import { readArrays } from './files.js';

const identity = Float32Array.of(1);

const longestFilter = 128; // taps of the engine (peal::play::EarFilter)

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
    const tapsAt = (taps) => Math.min(Math.ceil((taps * rate) / json.rate_hz), longestFilter);
    const filtersOf = (entry) => resampled(array(Int16Array, entry.filters), entry.scale, entry.taps, tapsAt(entry.taps),
      json.rate_hz / rate);
    this.taps = tapsAt(json.taps);
    this.filters = filtersOf(json);
    const near = json.nearness;
    this.near = { distances: near.distances_m, angles: near.angles, taps: tapsAt(near.taps), filters: filtersOf(near),
      delays: array(Float32Array, near.delays) };
  }

  /** Delays [s] and taps of both ears for a direction in the frame of the head (-z is in front, x right) and a distance [m]. */
  ears(direction, distance) {
    const { delays, taps } = this.measured(direction);
    for (const ear of [0, 1]) {
      const near = this.nearness(ear === 0 ? -direction[0] : direction[0], distance);
      delays[ear] = Math.max(0, delays[ear] + near.delay);
      taps[ear] = convolved(taps[ear], near.taps);
    }
    return { delays, taps };
  }

  /** What distance changes at an ear whose axis makes an angle with the direction of the sound, given by its cosine. */
  nearness(cosine, distance) {
    const { distances, angles } = this.near;
    // Between the two distances around, by 1/r.
    let row = 0;
    while (row < distances.length - 2 && distances[row + 1] > distance) ++row;
    const u = Math.max(0, Math.min(1, (1 / distance - 1 / distances[row]) / (1 / distances[row + 1] - 1 / distances[row])));
    const angle = (Math.acos(Math.max(-1, Math.min(1, cosine))) / Math.PI) * (angles - 1);
    const column = Math.min(Math.floor(angle), angles - 2), v = angle - column;
    const taps = new Float32Array(this.near.taps);
    let delay = 0;
    for (const [i, k, share] of [[row, column, (1 - u) * (1 - v)], [row, column + 1, (1 - u) * v], [row + 1, column, u * (1 - v)],
      [row + 1, column + 1, u * v]]) {
      const place = i * angles + k;
      delay += share * this.near.delays[place];
      for (let n = 0; n < taps.length; ++n) taps[n] += share * this.near.filters[place * taps.length + n];
    }
    return { delay, taps };
  }

  /** The response at the distance of the measurement. */
  measured([x, y, z]) {
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

/** One filter after another, faded out where the engine's longest filter ends. */
function convolved(a, b) {
  const out = new Float32Array(Math.min(a.length + b.length - 1, longestFilter));
  for (let i = 0; i < a.length; ++i)
    for (let k = 0; k < b.length && i + k < out.length; ++k) out[i + k] += a[i] * b[k];
  const fade = 12;
  for (let n = 1; n <= fade; ++n) out[out.length - n] *= n / (fade + 1);
  return out;
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
