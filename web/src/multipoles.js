// Waves that modes send out in every direction (docs/theory/precomputed.md): peal::radiation::ModalField.

/** Real spherical harmonics of a unit vector up to an order, orthonormal (peal::base::spherical_harmonics). */
export function sphericalHarmonics(order, [x, y, z]) {
  const out = new Float64Array((order + 1) ** 2);
  let re = 1, im = 0, diagonal = Math.sqrt(0.25 / Math.PI);
  for (let m = 0; m <= order; ++m) {
    if (m > 0) {
      [re, im] = [re * x - im * y, re * y + im * x];
      diagonal *= Math.sqrt((2 * m + 1) / (2 * m));
    }
    const scale = m > 0 ? Math.SQRT2 : 1;
    let before = 0, now = diagonal;
    for (let l = m; l <= order; ++l) {
      if (l > m) {
        const a = Math.sqrt((4 * l * l - 1) / (l * l - m * m));
        const b = Math.sqrt(((l - 1) ** 2 - m * m) / (4 * (l - 1) ** 2 - 1));
        [before, now] = [now, a * (z * now - b * before)];
      }
      out[l * (l + 1) + m] = scale * now * re;
      if (m > 0) out[l * (l + 1) - m] = scale * now * im;
    }
  }
  return out;
}

/** h_l(x) e^(ix) of the second kind for l = 0 .. order, as pairs. */
function hankels(order, x) {
  const h = new Float64Array(2 * (order + 2));
  h[1] = 1 / x;
  h[2] = -1 / x;
  h[3] = 1 / (x * x);
  for (let l = 1; l <= order; ++l)
    for (const k of [0, 1]) h[2 * (l + 1) + k] = ((2 * l + 1) / x) * h[2 * l + k] - h[2 * (l - 1) + k];
  return h;
}

const divide = (a, b, c, d) => {
  const square = c * c + d * d;
  return [(a * c + b * d) / square, (b * c - a * d) / square];
};

export class Multipoles {
  /** @param place the entry of a .peal-body file @param {Float32Array} values */
  constructor(place, values, frequencies, speedOfSound) {
    Object.assign(this, { orders: place.orders, centre: place.centre_m, radius: place.radius_m, values, frequencies, speedOfSound });
    this.most = Math.max(0, ...this.orders);
    this.starts = [];
    this.orders.reduce((at, order) => (this.starts.push(at), at + 2 * (order + 1) ** 2), 0);
  }

  /**
   * Gains of all modes [Pa s^2/(m kg^1/2)] for q'' = Re Z, p = Re(gain Z), at a distance in a direction of the body's
   * frame, later by the travel time. Frequencies are `ratio` times those of the table: the acceleration of the air on the ball of the
   * table stays, which is exact for spheres.
   */
  gains(direction, distance, ratio = 1) {
    const harmonics = sphericalHarmonics(this.most, direction);
    const out = new Float32Array(2 * this.orders.length);
    const r = Math.max(distance, this.radius);
    this.orders.forEach((order, j) => {
      const first = (2 * Math.PI * this.frequencies[j]) / this.speedOfSound, k = first * ratio;
      const [far, near] = [hankels(order, k * r), hankels(order, k * this.radius)];
      const then = ratio === 1 ? null : hankels(order, first * this.radius);
      // e^(ikR), which the ratio of Hankel functions without their phases has left: the table's phase is that on the ball.
      const turn = [Math.cos(k * this.radius), Math.sin(k * this.radius)];
      let re = 0, im = 0, at = this.starts[j], i = 0;
      for (let l = 0; l <= order; ++l) {
        let a = 0, b = 0;
        for (let m = 0; m <= 2 * l; ++m, ++i, at += 2) {
          a += harmonics[i] * this.values[at];
          b += harmonics[i] * this.values[at + 1];
        }
        if (then) {
          const [now, was] = [impedance(near, l, k * this.radius), impedance(then, l, first * this.radius)];
          const [c, d] = divide(now[0], now[1], was[0], was[1]);
          [a, b] = [a * c - b * d, a * d + b * c];
        }
        const [c, d] = divide(far[2 * l], far[2 * l + 1], near[2 * l], near[2 * l + 1]);
        re += a * c - b * d;
        im += a * d + b * c;
      }
      out[2 * j] = re * turn[0] - im * turn[1];
      out[2 * j + 1] = re * turn[1] + im * turn[0];
    });
    return out;
  }
}

/** h_l(x) / (x h_l'(x)): pressure over acceleration of waves of order l. */
function impedance(h, l, x) {
  const slope = [0, 1].map((k) => (l / x) * h[2 * l + k] - h[2 * (l + 1) + k]);
  return divide(h[2 * l], h[2 * l + 1], x * slope[0], x * slope[1]);
}

/** The waves of a rigid body under unit accelerations along and about three axes (peal::radiation::RigidField). */
export class RigidWaves {
  /** @param place the entry of a .peal-body file @param {Float32Array} values */
  constructor(place, values, speedOfSound) {
    Object.assign(this, { orders: place.orders, centre: place.centre_m, radius: place.radius_m, spacing: place.spacing_hz,
      highest: place.max_frequency_hz, values, speedOfSound });
    this.most = Math.max(...this.orders);
    this.starts = [];
    this.orders.reduce((at, order) => (this.starts.push(at), at + 12 * (order + 1) ** 2), 0);
  }

  /** Pressure for six accelerations at the table's frequencies, at a distance in a direction, later by the way from the ball. */
  spectrum(direction, distance, accelerations) {
    const harmonics = sphericalHarmonics(this.most, direction);
    const r = Math.max(distance, this.radius);
    return this.orders.map((order, b) => {
      const f = b * this.spacing, k = (2 * Math.PI * f) / this.speedOfSound;
      const count = (order + 1) ** 2;
      const [far, near] = k > 0 ? [hankels(order, k * r), hankels(order, k * this.radius)] : [null, null];
      let re = 0, im = 0;
      for (let l = 0, i = 0; l <= order; ++l) {
        let a = 0, c = 0;
        for (let m = 0; m <= 2 * l; ++m, ++i) {
          for (let motion = 0; motion < 6; ++motion) {
            const at = this.starts[b] + 2 * (motion * count + i);
            a += accelerations[motion] * harmonics[i] * this.values[at];
            c += accelerations[motion] * harmonics[i] * this.values[at + 1];
          }
        }
        const [x, y] = k > 0 ? divide(far[2 * l], far[2 * l + 1], near[2 * l], near[2 * l + 1]) : [(this.radius / r) ** (l + 1), 0];
        re += a * x - c * y;
        im += a * y + c * x;
      }
      const edge = (f / this.highest - 0.9) / 0.1;
      const taper = edge <= 0 ? 1 : edge >= 1 ? 0 : 0.5 + 0.5 * Math.cos(Math.PI * edge);
      return [taper * re, taper * im];
    });
  }

  /**
   * The sound of a half sine of these accelerations' integrals (six velocities): samples from its beginning on. Of a body `size`
   * times as large as the table's.
   */
  click(direction, distance, velocities, contactTime, rate, size = 1) {
    const accelerations = velocities.map((v, motion) => v * size ** (motion < 3 ? 1 : 2));
    const spectrum = this.spectrum(direction, distance / size, accelerations);
    const spacing = this.spacing / size;
    const sound = new Float32Array(Math.floor(Math.min((0.8 / spacing) * rate, 8192)));
    spectrum.forEach(([re, im], b) => {
      if (b === 0) return;
      // cos(pi f T) / (1 - 4 f^2 T^2) e^(-i pi f T), the spectrum of a half sine of unit area.
      const x = b * spacing * contactTime, near = Math.abs(x - 0.5) < 1e-6;
      const pulse = 2 * spacing * (near ? Math.PI / 4 : Math.cos(Math.PI * x) / (1 - 4 * x * x));
      const step = (2 * Math.PI * b * spacing) / rate;
      const [c, s] = [Math.cos(step), Math.sin(step)];
      let [u, v] = [Math.cos(Math.PI * x), -Math.sin(Math.PI * x)];
      [u, v] = [pulse * (re * u - im * v), pulse * (re * v + im * u)];
      for (let n = 0; n < sound.length; ++n) {
        sound[n] += u;
        [u, v] = [u * c - v * s, u * s + v * c];
      }
    });
    const fade = Math.floor(sound.length / 5);
    for (let n = 0; n < fade; ++n) sound[sound.length - 1 - n] *= 0.5 - 0.5 * Math.cos((Math.PI * n) / fade);
    return sound;
  }
}
