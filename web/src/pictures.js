// The spectrogram, which advances with the audio's time, and the spectrum.
import { Spectrum } from './fft.js';

const range = 70; // [dB]
const hop = 512;
const strip = 8; // pixels beside the spectrogram, for the marks of the modes

/** Dark to bright, even steps of lightness. */
function colour(part) {
  const stops = [[12, 12, 32], [70, 25, 110], [170, 45, 105], [240, 110, 60], [252, 230, 140]];
  const x = Math.max(0, Math.min(0.9999, part)) * (stops.length - 1);
  const i = Math.floor(x), f = x - i;
  return stops[i].map((from, k) => Math.round(from + f * (stops[i + 1][k] - from)));
}

export class Pictures {
  constructor(spectrogram, spectrum) {
    this.canvas = spectrogram;
    this.line = spectrum;
    this.ring = new Float32Array(16384);
    this.end = 0; // samples received
    this.drawn = 0; // samples in the spectrogram
    this.short = new Spectrum(1024);
    this.long = new Spectrum(8192);
    this.low = 50;
    this.high = 20000;
    this.peak = -60;
    this.marks = [];
  }

  /** The band of the selected body, and its modes. */
  show(frequencies, rate) {
    this.rate = rate;
    if (frequencies.length > 0) {
      this.low = Math.max(20, frequencies[0] / 2);
      this.high = Math.min(rate / 2, Math.max(frequencies.at(-1) * 1.1, 8 * this.low));
    }
    this.marks = frequencies;
    this.drawMarks();
  }

  /** The modes, beside the spectrogram. */
  drawMarks() {
    const { canvas } = this;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.fillStyle = '#0c0c20';
    context.fillRect(0, 0, strip, canvas.height);
    context.fillStyle = '#7eb0f0';
    for (const f of this.marks) {
      const part = Math.log(f / this.low) / Math.log(this.high / this.low);
      context.fillRect(0, Math.round((1 - part) * canvas.height), strip - 2, 1);
    }
  }

  frequencyAt(part) {
    return this.low * (this.high / this.low) ** part;
  }

  take(samples) {
    for (const sample of samples) this.ring[this.end++ % this.ring.length] = sample;
  }

  draw() {
    if (!this.rate) return;
    this.drawSpectrogram();
    this.drawSpectrum();
  }

  drawSpectrogram() {
    const { canvas } = this;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const columns = Math.min(Math.floor((this.end - this.drawn) / hop), canvas.width - strip);
    if (columns <= 0) return;
    const left = canvas.width - strip - columns;
    context.drawImage(canvas, strip + columns, 0, left, canvas.height, strip, 0, left, canvas.height);
    for (let i = columns; i > 0; --i) {
      const at = this.end - (i - 1) * hop - this.short.size;
      const levels = this.short.levels(this.ring, Math.max(0, at));
      this.column(context, canvas.width - i, levels);
    }
    this.drawn += columns * hop;
  }

  column(context, x, levels) {
    let loudest = -200;
    for (const level of levels) loudest = Math.max(loudest, level);
    this.peak = Math.max(loudest, this.peak - 0.05, range - 140); // silence is -140 dB
    const image = context.createImageData(1, this.canvas.height);
    for (let y = 0; y < this.canvas.height; ++y) {
      const low = this.frequencyAt(1 - (y + 1) / this.canvas.height) / this.rate * this.short.size;
      const high = this.frequencyAt(1 - y / this.canvas.height) / this.rate * this.short.size;
      let level = -200;
      for (let k = Math.floor(low); k <= Math.ceil(high) && k < levels.length; ++k) level = Math.max(level, levels[k]);
      image.data.set([...colour((level - this.peak + range) / range), 255], 4 * y);
    }
    context.putImageData(image, x, 0);
  }

  drawSpectrum() {
    const { line } = this;
    const context = line.getContext('2d');
    const style = getComputedStyle(line);
    context.clearRect(0, 0, line.width, line.height);
    const levels = this.long.levels(this.ring, Math.max(0, this.end - this.long.size));
    const y = (level) => (1 - (level - this.peak + range) / range) * line.height;
    context.strokeStyle = style.getPropertyValue('--mark');
    context.beginPath();
    for (const f of this.marks) {
      const x = (Math.log(f / this.low) / Math.log(this.high / this.low)) * line.width;
      context.moveTo(x, line.height);
      context.lineTo(x, line.height - 7);
    }
    context.stroke();
    context.strokeStyle = style.getPropertyValue('--accent');
    context.lineWidth = 1.5;
    context.beginPath();
    for (let x = 0; x < line.width; ++x) {
      const bin = (part) => (this.frequencyAt(part) / this.rate) * this.long.size;
      const low = bin(x / line.width), high = bin((x + 1) / line.width);
      let level = -200;
      for (let k = Math.round(low); k <= Math.max(Math.round(low), Math.floor(high)) && k < levels.length; ++k)
        level = Math.max(level, levels[k]);
      context.lineTo(x, y(level));
    }
    context.stroke();
    context.fillStyle = style.getPropertyValue('--soft');
    context.font = '11px sans-serif';
    for (const f of [50, 100, 200, 500, 1000, 2000, 5000, 10000]) {
      if (f < this.low * 1.05 || f > this.high * 0.9) continue;
      const x = (Math.log(f / this.low) / Math.log(this.high / this.low)) * line.width;
      context.fillText(f < 1000 ? `${f} Hz` : `${f / 1000} kHz`, x + 2, 11);
    }
  }
}
