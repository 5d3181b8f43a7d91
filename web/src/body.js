// A body of the page: its data, its modes as they are now, and its gains for strikes and ears.
import { readArrays } from './files.js';
import { Multipoles, RigidWaves } from './multipoles.js';
import { cross, decayRate, dot, length, minus, rotate, times } from './physics.js';

/** Reads a .peal-body file (docs/explorer.md). @param {ArrayBuffer} buffer */
export function readBody(buffer) {
  const { json, array } = readArrays(buffer);
  return {
    json,
    vertices: array(Float32Array, json.vertices),
    triangles: array(Uint32Array, json.triangles),
    shapes: json.shapes ? array(Int16Array, json.shapes) : null,
    rigidWaves: json.rigid_waves ? array(Float32Array, json.rigid_waves) : null,
    multipoles: json.multipoles ? array(Float32Array, json.multipoles) : null,
  };
}

/** Interpolates |l| and its phase between the columns of the table, by the logarithm of the ratio. */
function amplitudeAt(table, mode, ratio) {
  const { ratios, amplitudes } = table;
  const x = Math.log2(ratio);
  let at = ratios.findIndex((one) => Math.log2(one) >= x);
  at = at < 0 ? ratios.length - 1 : Math.max(at, 1);
  const low = Math.log2(ratios[at - 1]), high = Math.log2(ratios[at]);
  const f = (x - low) / (high - low);
  const complex = (column) => [amplitudes[column][2 * mode], amplitudes[column][2 * mode + 1]];
  const [a, b] = [complex(at - 1), complex(at)];
  if (f === 1) return b;
  const absolute = (c) => Math.max(Math.hypot(c[0], c[1]), 1e-300);
  const size = Math.exp((1 - f) * Math.log(absolute(a)) + f * Math.log(absolute(b)));
  const phase = Math.atan2(b[1], b[0]);
  return [size * Math.cos(phase), size * Math.sin(phase)];
}

export class Body {
  constructor(id, data, air) {
    this.id = id;
    this.data = data;
    this.json = data.json;
    this.name = data.json.name;
    this.file = data.json.file ?? null; // that a command line names
    this.air = air;
    this.position = data.json.position;
    this.orientation = data.json.orientation;
    this.isIdeal = data.json.ideal !== undefined;
    this.sounds = this.isIdeal || data.json.modes !== undefined;
    this.material = data.json.material ?? null;
    this.numbers = data.json.ideal ? [...data.json.ideal] : null;
    this.size = 1; // of meshes, relative to the file
    this.dampingFactor = 1;
    this.muted = new Set();
    this.isolated = null;
    if (this.isIdeal && this.numbers[0] === 0) thicken(data.vertices, this.numbers[2]);
    this.centre = boundsCentre(data.vertices);
    if (data.rigidWaves) this.rigidWaves = new RigidWaves(this.json.rigid_waves, data.rigidWaves, air.speed);
    if (!this.isIdeal && this.sounds) {
      this.baseFrequencies = this.json.modes.map((mode) => mode.frequency_hz);
      this.baseDecays = this.json.modes.map((mode) => mode.decay_per_s);
      this.baseRadiation = this.json.modes.map((mode) => mode.radiation_per_s);
      if (data.multipoles) {
        this.multipoles = new Multipoles(this.json.multipoles, data.multipoles, this.baseFrequencies, air.speed);
        this.centre = this.multipoles.centre;
      }
      this.update();
    }
  }

  /** An ideal shape has been solved (core.js). */
  takeSolution(solution) {
    this.solution = solution;
    this.baseFrequencies = solution.frequencies;
    this.mass = solution.mass;
    this.update();
  }

  get modes() {
    return this.baseFrequencies?.length ?? 0;
  }

  /** Frequencies, decay rates and scales of the present material and size. */
  update() {
    const first = this.json.material, now = this.material;
    let ratio = 1, heavier = 1;
    if (!this.isIdeal && first) {
      ratio = Math.sqrt((now.young_modulus * first.density) / (first.young_modulus * now.density));
      heavier = now.density / first.density;
    }
    this.ratio = ratio;
    if (!this.isIdeal) this.mass = this.json.mass_kg * heavier * this.size ** 3;
    // Shapes are mass-normalised.
    this.shapeScale = this.isIdeal ? 1 : 1 / Math.sqrt(heavier * this.size ** 3);
    this.frequencies = this.baseFrequencies.map((f) => (f * ratio) / this.size);
    this.radiation = this.frequencies.map((f, i) => this.isIdeal ? 0 : this.baseRadiation[i] / (heavier * this.size));
    this.decays = this.frequencies.map((f, i) => this.dampingFactor *
      (now ? decayRate(now.damping, f) : this.baseDecays[i] / this.size) + this.radiation[i]);
    this.loudness = this.frequencies.map((f, i) => this.isIdeal ? [this.solution.loudness, 0]
      : times2(amplitudeAt(this.json.radiation, i, ratio), this.shapeScale));
    this.addClick(heavier);
  }

  /** The click of the body as a whole: three strongly damped modes (peal::shaders::DipoleEnd). */
  addClick(heavier) {
    this.clickModes = [];
    const click = this.json.click;
    if (!click) return;
    this.inverse = { mass: 1 / (click.mass_kg * heavier * this.size ** 3), inertia: 1 / (heavier * this.size ** 5) };
    if (this.rigidWaves) return;
    click.volumes_m3.forEach((volume, k) => {
      const radius = this.size * Math.cbrt(volume / (2 * Math.PI));
      const rate = this.air.speed / radius;
      this.clickModes.push({
        axis: click.axes[k],
        angular: times(click.turning_m4[k], this.size / volume),
        radius,
        frequency: (Math.SQRT2 * rate) / (2 * Math.PI),
        decay: rate,
      });
    });
  }

  /** What the engine has: the modes, and those of the click. */
  engineModes() {
    return {
      frequencies: Float64Array.from([...this.frequencies, ...this.clickModes.map((m) => m.frequency)]),
      decays: Float64Array.from([...this.decays, ...this.clickModes.map((m) => m.decay)]),
      ringing: this.modes,
      radiation: Float64Array.from(this.radiation),
    };
  }

  /** Poisson's ratio differs from that of the solution: other frequencies are not in proportion. */
  isApproximate() {
    return !this.isIdeal && this.json.material !== undefined &&
      Math.abs(this.material.poisson_ratio - this.json.material.poisson_ratio) > 0.005;
  }

  /** Vertex shapes of a mode: displacements (x, y, z) of all vertices. Of ideal shapes: see `fields`. */
  modeField(mode) {
    const count = this.data.vertices.length;
    const field = new Float32Array(count);
    if (this.isIdeal) {
      for (let v = 0; v < count / 3; ++v) field[3 * v + 1] = this.fields[v * this.modes + mode];
      return field;
    }
    const scale = this.json.shapes.scales[mode] * this.shapeScale;
    const shapes = this.data.shapes.subarray(mode * count, (mode + 1) * count);
    for (let i = 0; i < count; ++i) field[i] = scale * shapes[i];
    return field;
  }

  /** The point (x, y, z) of a triangle. */
  pointOf(triangle, barycentrics) {
    const point = [0, 0, 0];
    for (let corner = 0; corner < 3; ++corner) {
      const v = this.data.triangles[3 * triangle + corner];
      for (let k = 0; k < 3; ++k) point[k] += barycentrics[corner] * this.data.vertices[3 * v + k];
    }
    return point;
  }

  normalOf(triangle) {
    const [a, b, c] = [0, 1, 2].map((corner) => {
      const v = 3 * this.data.triangles[3 * triangle + corner];
      return Array.from(this.data.vertices.subarray(v, v + 3));
    });
    const area = cross(minus(b, a), minus(c, a));
    return times(area, 1 / Math.max(length(area), 1e-30));
  }

  /**
   * Gains of a force into the surface for all modes of the engine [kg^-1/2].
   * @param at {triangle, barycentrics, ideal?}: `ideal` has the shapes of an ideal body at the point
   */
  strikeGains(at) {
    const normal = this.normalOf(at.triangle);
    const force = times(normal, -1);
    const gains = new Float32Array(this.modes + this.clickModes.length);
    if (this.isIdeal) {
      // Strings, bars, membranes and plates move along y alone.
      const sign = normal[1] >= 0 ? -1 : 1;
      for (let i = 0; i < this.modes; ++i) gains[i] = sign * at.ideal[i];
      return gains;
    }
    const { triangles, vertices, shapes } = this.data;
    const corners = [0, 1, 2].map((corner) => triangles[3 * at.triangle + corner]);
    for (let i = 0; i < this.modes; ++i) {
      let sum = 0;
      corners.forEach((v, corner) => {
        const place = i * vertices.length + 3 * v;
        sum += at.barycentrics[corner] *
          (shapes[place] * force[0] + shapes[place + 1] * force[1] + shapes[place + 2] * force[2]);
      });
      gains[i] = sum * this.json.shapes.scales[i] * this.shapeScale;
    }
    if (this.clickModes.length > 0) {
      const { linear, angular } = this.rigidVelocities(at);
      this.clickModes.forEach((click, k) => {
        gains[this.modes + k] = dot(click.axis, linear) + dot(click.angular, angular);
      });
    }
    return gains;
  }

  /** Velocities of the rigid body after a unit impulse into the surface: of the centre of mass [1/kg] and about it. */
  rigidVelocities(at) {
    const force = times(this.normalOf(at.triangle), -1);
    const arm = times(minus(this.pointOf(at.triangle, at.barycentrics), this.json.click.centre_m), this.size);
    const torque = cross(arm, force);
    return { linear: times(force, this.inverse.mass),
      angular: this.json.click.inverse_inertia.map((row) => this.inverse.inertia * dot(row, torque)) };
  }

  /** The click of the whole body where its waves are precomputed, as pressure at the middle of the head; else null. */
  clickSound(at, { contactTime, impulse }, listener, rate) {
    if (!this.rigidWaves || this.isolated !== null) return null;
    const { linear, angular } = this.rigidVelocities(at);
    const { centre } = this.rigidWaves;
    const lever = times(minus(centre, this.json.click.centre_m), this.size);
    const motion = cross(angular, lever).map((v, k) => v + linear[k]);
    const way = minus(listener.position, this.worldPoint(centre));
    const distance = Math.max(length(way), 0.1);
    const toEar = rotate(this.orientation, times(way, 1 / distance), true);
    return this.rigidWaves.click(toEar, distance, [...motion, ...angular].map((v) => v * impulse), contactTime, rate, this.size);
  }

  /** Whether a mode is heard. */
  isHeard(mode) {
    return this.isolated !== null ? this.isolated === mode : !this.muted.has(mode);
  }

  /**
   * Gains of all modes at the middle of the head (peal::play::PressureBank), and both ears.
   * @param listener {position, right, up, head}
   */
  ears(listener) {
    const count = this.modes + this.clickModes.length;
    const gains = new Float32Array(2 * count);
    const way = minus(this.worldCentre(), listener.position);
    const distance = Math.max(length(way), 0.1);
    const direction = times(way, 1 / Math.max(length(way), 1e-9));
    const toEar = times(rotate(this.orientation, direction, true), -1); // from the body, in its frame
    const waves = this.multipoles?.gains(toEar, distance / this.size, this.ratio);
    for (let i = 0; i < this.modes; ++i) {
      if (!this.isHeard(i)) continue;
      // Modes with imaginary amplitudes sound a quarter of a period later, as in `peal strike`.
      const [re, im] = waves ? [waves[2 * i], waves[2 * i + 1]].map((x) => x * this.size * this.shapeScale)
        : this.loudness[i].map((l, part) => (part === 0 ? -l : l) / (distance * (2 * Math.PI * this.frequencies[i]) ** 2));
      gains.set([re, im], 2 * i);
    }
    if (this.isolated === null) {
      this.clickModes.forEach((click, k) => {
        const strength = this.air.density * this.air.speed * click.radius * dot(click.axis, toEar);
        const w = 2 * Math.PI * click.frequency;
        // p = Re(G) q - Im(G) w q'.
        gains.set([(strength * this.air.speed) / distance ** 2, -strength / (w * distance)], 2 * (this.modes + k));
      });
    }
    const back = cross(listener.right, listener.up);
    const seen = [dot(direction, listener.right), dot(direction, listener.up), dot(direction, back)];
    return { gains, distance, ...listener.head.ears(seen, distance) };
  }

  worldCentre() {
    return this.worldPoint(this.centre);
  }

  worldPoint(point) {
    const turned = rotate(this.orientation, times(point, this.size));
    return this.position.map((p, k) => p + turned[k]);
  }
}

const times2 = (c, s) => [c[0] * s, c[1] * s];

/** Strings are thicker to look at and to hit than they are: 3 mm. */
function thicken(vertices, radius) {
  const factor = Math.max(1, 0.003 / radius);
  for (let i = 0; i < vertices.length; i += 3) {
    vertices[i + 1] *= factor;
    vertices[i + 2] *= factor;
  }
}

function boundsCentre(vertices) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; ++i) {
    low[i % 3] = Math.min(low[i % 3], vertices[i]);
    high[i % 3] = Math.max(high[i % 3], vertices[i]);
  }
  return low.map((l, k) => 0.5 * (l + high[k]));
}
