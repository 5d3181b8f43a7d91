// The AudioContext, its worklet, and recordings.

export class Audio {
  /**
   * @param files {worklet: URL, engine: ArrayBuffer}
   * @param context an AudioContext, or an OfflineAudioContext in tests
   */
  static async open(context, files, listen, messages = []) {
    await context.audioWorklet.addModule(files.worklet);
    const node = new AudioWorkletNode(context, 'peal', {
      numberOfInputs: 0,
      outputChannelCount: [2],
      processorOptions: { bytes: files.engine, messages },
    });
    node.connect(context.destination);
    node.port.onmessage = ({ data }) => listen(data);
    return new Audio(context, node);
  }

  constructor(context, node) {
    this.context = context;
    this.node = node;
    this.recorded = [];
  }

  send(message) {
    this.node.port.postMessage(message);
  }

  /** Latency of device and browser [s], as far as the browser knows. */
  latency() {
    return (this.context.baseLatency ?? 0) + (this.context.outputLatency ?? 0);
  }

  /** Interruptions so far; null where the browser does not count them. */
  underruns() {
    return this.context.playbackStats?.underrunEvents ?? null;
  }
}

/** A WAV file of 32-bit float samples. */
export function wavFile(samples, channels, rate) {
  const bytes = new ArrayBuffer(58 + 4 * samples.length);
  const view = new DataView(bytes);
  const text = (at, word) => [...word].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, bytes.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 18, true);
  view.setUint16(20, 3, true); // IEEE float
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 4, true);
  view.setUint16(32, channels * 4, true);
  view.setUint16(34, 32, true);
  text(38, 'fact');
  view.setUint32(42, 4, true);
  view.setUint32(46, samples.length / channels, true);
  text(50, 'data');
  view.setUint32(54, 4 * samples.length, true);
  new Float32Array(samples.length).forEach((_, i) => view.setFloat32(58 + 4 * i, samples[i], true));
  return bytes;
}

export function download(name, type, bytes) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
