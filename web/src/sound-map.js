// How differently strikes sound: peal::vibration::sonic_distance.

/** The ear's sensitivity: the power gain of A-weighting over its maximum. */
export function earSensitivity(f) {
  const weight = (x) => {
    const s = x * x;
    return ((12194 ** 2 * s * s) / ((s + 20.6 ** 2) * Math.sqrt((s + 107.7 ** 2) * (s + 737.9 ** 2)) * (s + 12194 ** 2))) ** 2;
  };
  return Math.min(1, weight(f) / weight(2500));
}

/** Sonic distances [decades] of strikes with these gains from the first of them. */
export function sonicDistances(reference, gains, frequencies) {
  const count = frequencies.length;
  const sensitivity = frequencies.map(earSensitivity);
  const audible = (values, at) => {
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += values[at + i] ** 2;
    return Float64Array.from({ length: count }, (_, i) =>
      Math.max(0, Math.log10(Math.max(values[at + i] ** 2 / Math.max(sum, 1e-300) / 1e-6, 1e-300))));
  };
  const first = audible(reference, 0);
  const points = gains.length / count;
  return Float64Array.from({ length: points }, (_, point) => {
    const levels = audible(gains, point * count);
    let sum = 0;
    for (let i = 0; i < count; ++i) sum += sensitivity[i] * (levels[i] - first[i]) ** 2;
    return Math.sqrt(sum);
  });
}
