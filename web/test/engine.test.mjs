// The WebAssembly modules, in node: they need no browser and nothing of an operating system.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { Core } from '../src/core.js';
import { Engine } from '../src/engine.js';
import { Multipoles, RigidWaves } from '../src/multipoles.js';

const bytes = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));
const reference = process.env.PEAL_PLAY_REFERENCE ??
  new URL('../../build/release/bin/play_reference', import.meta.url).pathname;
const engineModule = new WebAssembly.Module(bytes('engine.wasm'));

test('web/dist is current', () => {
  execFileSync(process.execPath, [new URL('../fingerprint.mjs', import.meta.url).pathname], { stdio: 'inherit' });
});

const hasEsbuild = existsSync(new URL('../node_modules/esbuild', import.meta.url));
test('the scripts are what their sources make', { skip: hasEsbuild ? false : 'esbuild is not installed: npm ci in web/' }, () => {
  execFileSync(process.execPath, [new URL('../build.mjs', import.meta.url).pathname, '--check'], { stdio: 'inherit' });
});

test('the modules import nothing and are small', () => {
  for (const [name, most] of [['engine.wasm', 92000], ['core.wasm', 450000]]) {
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes(name))), []);
    assert.ok(statSync(new URL(`../dist/${name}`, import.meta.url)).size <= most, name);
  }
});

/** The scene of tests/explore/play_reference.cpp. */
function playedScene() {
  const count = 200;
  const each = (work) => Float64Array.from({ length: count }, (_, i) => work(i));
  const frequencies = each((i) => 40 + 95 * i), decays = each((i) => 1 + 0.3 * i);
  const struck = Float32Array.from(each((i) => ((i * 7) % 11) - 5));
  const complex = (work) => Float32Array.from({ length: 2 * count }, (_, i) => 1e-6 * work(i >> 1)[i % 2]);
  const near = complex((i) => [i % 5, i % 3]), far = complex((i) => [i % 4, 2 - (i % 7)]);
  const taps = Float32Array.from({ length: 100 }, (_, i) => (((i * 5) % 13) - 6) / (10 + i));
  const click = Float32Array.from({ length: count }, (_, i) => Math.fround(((i * 3) % 17) - 8) * Math.fround(1e-4));
  const engine = new Engine(engineModule, 48000);
  const body = engine.addBody(frequencies, decays, count - 3, new Float64Array(count - 3).fill(0.1));
  engine.setVolume(50, 0);
  engine.setGains(body, near, 1.5, 0);
  engine.setEar(body, 0, 0, taps, 0);
  engine.setEar(body, 1, 0.0003, Float32Array.of(1), 0);
  engine.setRoom(80, 0.5, 0.2);
  const sound = new Float32Array(2 * 128 * 1500);
  for (let block = 0; block < 1500; ++block) {
    if (block === 5) engine.strike(body, 700.25, 0.0007, 0.01, struck);
    if (block === 100) engine.strike(body, 0, 0.00004, 0.02, struck);
    if (block === 200) {
      engine.setGains(body, far, 2, 512);
      engine.setEar(body, 0, 0.0005, Float32Array.of(0.5, 0.25), 512);
      engine.play(body, 26000, click);
    }
    if (block === 300) engine.setModes(body, each((i) => 1.1 * frequencies[i]), each((i) => 2 * decays[i]), 2400);
    if (block === 400) engine.scrape(body, 2, struck, 0.05, 900, 4000, 512);
    if (block === 600) engine.scrape(body, 2, struck, 0, 900, 4000, 512);
    if (block === 700) engine.hold(body, struck, 0.5);
    engine.process(128);
    for (let n = 0; n < 128; ++n)
      for (const ear of [0, 1]) sound[2 * (128 * block + n) + ear] = engine.outputs[ear][n];
  }
  return sound;
}

test('WebAssembly and the program make the same sound', () => {
  const native = execFileSync(reference, { maxBuffer: 1 << 24 });
  const expected = new Float32Array(native.buffer.slice(native.byteOffset, native.byteOffset + native.byteLength));
  const sound = playedScene();
  assert.equal(sound.length, expected.length);
  for (const [begin, end] of [[0, 60000], [100000, 150000], [300000, 384000]]) {
    let error = 0, power = 0;
    for (let n = begin; n < end; ++n) {
      error += (sound[n] - expected[n]) ** 2;
      power += expected[n] ** 2;
    }
    assert.ok(power > 0);
    const relative = Math.sqrt(error / power);
    console.log(`relative difference of samples ${begin} to ${end}: ${relative.toExponential(1)}`);
    assert.ok(relative < 1e-5, `${relative}`);
  }
});

test('modes send out the waves that the program computes, also at other frequencies', () => {
  const { radius, ratio, speed, orders, frequencies, values, places, gains, scaled } =
    JSON.parse(execFileSync(reference, ['waves'], { encoding: 'utf8' }));
  const waves = new Multipoles({ orders, centre_m: [0, 0, 0], radius_m: radius }, Float32Array.from(values), frequencies, speed);
  places.forEach((place, i) => {
    const distance = Math.hypot(...place), direction = place.map((x) => x / distance);
    for (const [factor, expected] of [[1, gains[i]], [ratio, scaled[i]]]) {
      waves.gains(direction, distance, factor).forEach((value, k) => {
        const size = Math.hypot(expected[k & ~1], expected[k | 1]);
        assert.ok(Math.abs(value - expected[k]) <= 1e-5 * size + 1e-12, `${value} ${expected[k]} of ${size}`);
      });
    }
  });
});

test('rigid bodies send out the waves that the program computes; a click is their sum', () => {
  const { rigid } = JSON.parse(execFileSync(reference, ['waves'], { encoding: 'utf8' }));
  const waves = new RigidWaves(rigid, Float32Array.from(rigid.values), 343.2);
  const distance = Math.hypot(...rigid.place), direction = rigid.place.map((x) => x / distance);
  const got = waves.spectrum(direction, distance, [1, 0, 0, 0, -2, 0]);
  const largest = Math.max(...rigid.expected.map(([a, b]) => Math.hypot(a, b)));
  rigid.expected.forEach(([re, im], b) =>
    assert.ok(Math.hypot(got[b][0] - re, got[b][1] - im) < 1e-5 * largest, `${got[b]} ${[re, im]} at ${b}`));
  // A single wave of order 0 that rises with the frequency: the derivative of a half sine.
  const plain = { orders: [], radius_m: 0.01, centre_m: [0, 0, 0], spacing_hz: 50, max_frequency_hz: 20000 };
  const values = [];
  for (let b = 0; b <= 400; ++b) {
    plain.orders.push(0);
    const w = 2 * Math.PI * 50 * b * Math.sqrt(4 * Math.PI);
    for (let motion = 0; motion < 6; ++motion) values.push(0, motion === 0 ? w : 0);
  }
  const T = 0.001;
  const sound = new RigidWaves(plain, Float32Array.from(values), 343.2).click([1, 0, 0], 0.02, [1, 0, 0, 0, 0, 0], T, 48000);
  for (let n = 10; n < 40; ++n) { // (pi/T) pi/(2T) cos(pi t / T), over two radii
    const exact = 0.5 * (Math.PI / T) * (Math.PI / (2 * T)) * Math.cos((Math.PI * n) / 48000 / T);
    assert.ok(Math.abs(sound[n] - exact) < 0.02 * (Math.PI / T) ** 2, `${sound[n]} ${exact} at ${n}`);
  }
});

/** The processor time of seconds of sound, relative to real time. */
function load(engine, seconds) {
  const begin = process.cpuUsage();
  for (let block = 0; block < (seconds * 48000) / 128; ++block) engine.process(128);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6 / seconds;
}

test('512 modes, two moving ears with 120 taps, a room and eight contacts leave time to spare; silence costs nothing', () => {
  const count = 512;
  const engine = new Engine(engineModule, 48000);
  const frequencies = Float64Array.from({ length: count }, (_, i) => 30 + 39 * i);
  const decays = frequencies.map((f) => 3 + f / 1000);
  const body = engine.addBody(frequencies, decays);
  const gains = new Float32Array(count).fill(0.1);
  engine.setVolume(1e-3, 0);
  engine.strike(body, 0, 0.0005, 0.01, gains);
  for (let contact = 0; contact < 8; ++contact) engine.scrape(body, contact, gains, 0.1, 500, 5000, 512);
  load(engine, 0.5); // until it is compiled
  engine.setGains(body, new Float32Array(2 * count).fill(1e-7), 1, 96000);
  for (const ear of [0, 1]) engine.setEar(body, ear, 0.0002, new Float32Array(120).fill(0.1), 96000);
  engine.setRoom(80, 0.5, 0.2);
  const busy = load(engine, 2);
  for (let contact = 0; contact < 8; ++contact) engine.scrape(body, contact, gains, 0, 500, 5000, 512);
  load(engine, 20);
  const quiet = load(engine, 10);
  console.log(`of one core: ${(100 * busy).toFixed(1)} % busy, ${(100 * quiet).toFixed(2)} % silent`);
  // Measured: 6 % and 0.1 %; other work on the machine may take its share.
  assert.ok(busy < 0.3 && quiet < 0.02);
  assert.ok(engine.amplitudes(body, count).every((amplitude) => amplitude === 0));
});

test('ten minutes go by without growth, and the body still rings', () => {
  const engine = new Engine(engineModule, 48000);
  const body = engine.addBody([440, 3000], [3, 8]);
  engine.setGains(body, Float32Array.of(1e-6, 0, 1e-6, 0), 1, 0);
  const size = engine.wasm.memory.buffer.byteLength;
  const peakOfStrike = () => {
    engine.strike(body, 0, 0.0005, 1, Float32Array.from([1, 1]));
    let peak = 0;
    for (let block = 0; block < 400; ++block) {
      engine.process(128);
      for (const sample of engine.outputs[0]) peak = Math.max(peak, Math.abs(sample));
    }
    return peak;
  };
  const first = peakOfStrike();
  load(engine, 600);
  assert.ok(Math.abs(peakOfStrike() / first - 1) < 1e-5);
  assert.equal(engine.wasm.memory.buffer.byteLength, size);
});

test('ideal shapes are solved, and what is impossible is told', () => {
  const core = new Core(new WebAssembly.Module(bytes('core.wasm')));
  const steel = { density: 7850, young_modulus: 200e9, poisson_ratio: 0.3 };
  const string = core.solve(1, steel, 20000, [0, 0.65, 0.0003545, 73.9]);
  const speed = Math.sqrt(73.9 / (7850 * Math.PI * 0.0003545 ** 2));
  string.frequencies.forEach((f, i) => assert.ok(Math.abs(f / (((i + 1) * speed) / 1.3) - 1) < 1e-9));
  const shapes = core.displacement(1, [0, 0, -0.325, 0]);
  assert.ok(Math.abs(shapes[1]) < 1e-5 * Math.abs(shapes[0]), 'the second mode has a node in the middle');
  assert.ok(shapes.subarray(string.frequencies.length).every((value) => Math.abs(value) < 1e-4), 'the end is fixed');
  // Leissa 1969: the lowest mode of a clamped circular plate, lambda^2 = 10.2158.
  const plate = core.solve(2, steel, 20000, [3, 1, 0.1, 0.001, 1, 0, 0, 0]);
  const rigidity = (200e9 * 0.001 ** 3) / (12 * (1 - 0.09));
  const lowest = (10.2158 / (2 * Math.PI * 0.01)) * Math.sqrt(rigidity / (7850 * 0.001));
  assert.ok(Math.abs(plate.frequencies[0] / lowest - 1) < 1e-5);
  assert.throws(() => core.solve(3, steel, 20000, [0, 0.65]), /vector/, 'numbers are missing');
});
