// What the page computes itself: contact, damping, how a mode reaches two ears.

export const headRadius = 0.0875; // [m], Brown & Duda 1998

/** Decay rate of a mode [1/s] (peal::base::Damping). */
export function decayRate(damping, frequency) {
  const w2 = (2 * Math.PI * frequency) ** 2;
  let loss = damping.internal_friction;
  if (damping.bands.length > 0) {
    const band = damping.bands.find(([upTo]) => frequency <= upTo) ?? damping.bands.at(-1);
    loss += band[1];
  }
  return Math.PI * frequency * loss + 0.5 * damping.mass + 0.5 * damping.stiffness * w2 +
    0.5 * damping.inverse_stiffness / w2 + damping.external;
}

/** A ball strikes a body: duration [s] and impulse [N s] by Hertz's theory. */
export function hertzContact(mallet, material, bodyMass) {
  const mass = 1 / (1 / mallet.mass + 1 / bodyMass);
  const softness = (1 - mallet.poisson ** 2) / mallet.modulus +
    (1 - material.poisson_ratio ** 2) / material.young_modulus;
  const time = 2.868 * ((mass * softness) ** 2 / (mallet.radius * mallet.speed)) ** 0.2;
  return { contactTime: time, impulse: mass * mallet.speed * (1 + mallet.restitution) };
}

/** Delay [s], from 0 on, of an ear whose axis makes this angle with the direction of the sound. */
export function earDelay(angle, speedOfSound) {
  const turn = Math.abs(angle) < Math.PI / 2 ? -Math.cos(angle) : Math.abs(angle) - Math.PI / 2;
  return (headRadius / speedOfSound) * (turn + 1);
}

/** What the head does to sound at that ear: the shadow of a sphere (Brown & Duda 1998), (1 + alpha s T) / (1 + s T) with
 * T = a / 2c, as taps at this rate. */
export function headShadow(rate, angle, speedOfSound) {
  const least = 0.1, darkest = (150 * Math.PI) / 180;
  const alpha = 1 + least / 2 + (1 - least / 2) * Math.cos((angle / darkest) * Math.PI);
  const x = (rate * headRadius) / speedOfSound; // 2 T rate, of the bilinear transform
  const pole = (x - 1) / (x + 1);
  const taps = new Float32Array(64);
  taps[0] = (1 + alpha * x) / (1 + x);
  taps[1] = (1 - alpha * x) / (1 + x) + pole * taps[0];
  for (let n = 2; n < taps.length; ++n) taps[n] = pole * taps[n - 1];
  return taps;
}

/** How strongly a half sine drives a mode, relative to an impulse. */
export function pulseResponse(contactTime, frequency) {
  const x = 2 * frequency * contactTime;
  if (Math.abs(x - 1) < 1e-6) return Math.PI / 4;
  return Math.abs(Math.cos((Math.PI / 2) * x) / (1 - x * x));
}

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const length = (a) => Math.sqrt(dot(a, a));
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];

/** Turns a vector by a quaternion (x, y, z, w), or back. */
export function rotate([x, y, z, w], v, back = false) {
  const axis = back ? [-x, -y, -z] : [x, y, z];
  const t = times(cross(axis, v), 2);
  const u = cross(axis, t);
  return [v[0] + w * t[0] + u[0], v[1] + w * t[1] + u[1], v[2] + w * t[2] + u[2]];
}
