// The modes of ideal shapes: peal::vibration as WebAssembly (web/core/core_exports.cpp).
import { call, instantiate } from './engine.js';

export class Core {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    this.shapes = new Map(); // instances by body, each with its solved shape
  }

  buffer(wasm, count) {
    const at = wasm.core_buffer(count);
    return new Float64Array(wasm.memory.buffer, at, count);
  }

  /** Frequencies [Hz], mass [kg] and radiation amplitude of an ideal shape. */
  solve(body, material, maxFrequency, numbers) {
    const wasm = instantiate(this.module);
    const most = 512;
    const given = [material.density, material.young_modulus, material.poisson_ratio, maxFrequency, most];
    const values = [...given, ...numbers];
    this.buffer(wasm, values.length).set(values);
    const count = call(wasm, () => wasm.core_solve());
    const result = this.buffer(wasm, count + 2);
    this.shapes.set(body, { wasm, count });
    return { mass: result[0], loudness: result[1], frequencies: Array.from(result.subarray(2)) };
  }

  /** Shapes of all modes at points (x, z, x, z, ...), point after point [kg^-1/2]. */
  displacement(body, points) {
    const { wasm, count } = this.shapes.get(body);
    const number = points.length / 2;
    this.buffer(wasm, points.length).set(points);
    call(wasm, () => wasm.core_shapes(number));
    return Float32Array.from(this.buffer(wasm, number * count));
  }
}
