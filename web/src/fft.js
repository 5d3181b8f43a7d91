// Power spectra of real signals under a Hann window.

export class Spectrum {
  /** @param {number} size a power of two */
  constructor(size) {
    this.size = size;
    this.re = new Float64Array(size);
    this.im = new Float64Array(size);
    this.window = Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
    this.cosine = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.sine = Float64Array.from({ length: size / 2 }, (_, k) => Math.sin((2 * Math.PI * k) / size));
    this.bits = Math.log2(size);
  }

  /** Levels [dB re full-scale sine] of the bins of the samples from `at` on in a ring. */
  levels(ring, at) {
    const { size, re, im } = this;
    for (let n = 0; n < size; ++n) {
      let reversed = 0;
      for (let bit = 0; bit < this.bits; ++bit) reversed |= ((n >> bit) & 1) << (this.bits - 1 - bit);
      re[reversed] = this.window[n] * ring[(at + n) % ring.length];
      im[reversed] = 0;
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let first = 0; first < size; first += 2 * half) {
        for (let k = 0; k < half; ++k) {
          const c = this.cosine[k * stride], s = -this.sine[k * stride];
          const a = first + k, b = a + half;
          const x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
          re[b] = re[a] - x;
          im[b] = im[a] - y;
          re[a] += x;
          im[a] += y;
        }
      }
    }
    const out = new Float32Array(size / 2);
    const scale = (4 / size) ** 2;
    for (let k = 0; k < size / 2; ++k) out[k] = 10 * Math.log10(scale * (re[k] ** 2 + im[k] ** 2) + 1e-14);
    return out;
  }
}
