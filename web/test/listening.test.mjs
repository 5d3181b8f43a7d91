// What the page's listener hears against renders of the same strike with precomputed radiation.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { barMesh, browser, decibels, faults, folder, open, partials, run, serve, wav } from './explorer.mjs';

const chromium = await browser();
const skip = chromium === null;
const at = [0.031, 0.002, 0.004], contactTime = 0.0001, impulse = 1e-4, begin = 0.01;
const heads = [[0.25, 0.12, 0.3], [0.2, 0.05, 0.02], [1.2, 0.4, 0.9]]; // nearer and farther than the measured set
let server, page, modes;

before(async () => {
  if (skip) return;
  barMesh('small.obj', [0.1, 0.004, 0.02]);
  const scene = {
    peal: 1, duration: 0.5,
    objects: [{ name: 'small', mesh: 'small.obj', material: 'brass', sound: ['modal'],
      strikes: [{ t: begin, at, force: { impulse, contact_time: contactTime } }] }],
    listeners: [...heads.map((position, i) => ({ name: `mono-${i}`, mono: { position } })),
      ...heads.map((position, i) => ({ name: `ears-${i}`, binaural: { position, look_at: [position[0] - 1, position[1], position[2] - 0.5] } }))],
    radiation: { model: 'precomputed', max_frequency: 20000 },
  };
  const file = join(folder, 'small.json');
  writeFileSync(file, JSON.stringify(scene));
  run('render', file, '-o', join(folder, 'small-render'));
  modes = JSON.parse(run('modes', join(folder, 'small.obj'), '--material', 'brass', '--json')).modes;
  server = await serve(file);
  page = await open(chromium, server.address);
});
after(async () => {
  await chromium?.close();
  await server?.stop();
});

/** Both ears of the page at a place, of the strike of the scene. */
const heard = (position, binaural) => page.evaluate(async ([position, binaural, at, contactTime, impulse, begin]) => {
  const { rate, head } = explorer;
  explorer.rate = 48000;
  const body = explorer.selected;
  const place = await explorer.firstPlace(body);
  // The triangle that the point lies on, and its coordinates there.
  const minus = (a, b) => a.map((x, k) => x - b[k]), dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  let nearest = Infinity;
  for (let t = 0; t < body.data.triangles.length / 3; ++t) {
    const [a, b, c] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((corner) => body.pointOf(t, corner));
    const [u, v, w] = [minus(b, a), minus(c, a), minus(at, a)];
    const square = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
    const s = (dot(w, u) * dot(v, v) - dot(w, v) * dot(u, v)) / square, r = (dot(w, v) * dot(u, u) - dot(w, u) * dot(u, v)) / square;
    const shares = [1 - s - r, s, r];
    const distance = Math.hypot(...minus(body.pointOf(t, shares), at));
    if (Math.min(...shares) > -1e-6 && distance < nearest) [nearest, place.triangle, place.barycentrics] = [distance, t, shares];
  }
  const { gains } = await explorer.place(body, place.triangle, place.barycentrics);
  const ahead = [-1, 0, -0.5].map((x) => x / Math.hypot(1, 0.5));
  const right = [-ahead[2], 0, ahead[0]];
  const listener = { position, right, up: [0, 1, 0], head: binaural ? new head.constructor(explorer.headFile, 48000)
    : { ears: () => ({ delays: [0, 0], taps: [Float32Array.of(1), Float32Array.of(1)] }) } };
  const [add, ears] = explorer.bodyMessages(body, listener);
  const strike = { type: 'strike', body: body.id, at: begin, contactTime, impulse, gains };
  const sound = await explorer.renderOffline([add, ears, { type: 'volume', volume: 1 }, strike], 0.5);
  explorer.rate = rate;
  return { nearest, delay: 0.85e-3, ears: [0, 1].map((ear) => [...sound.getChannelData(ear)]) };
}, [position, binaural, at, contactTime, impulse, begin]);

/** The first sample after the contact: the page leaves travel time out, and the limiter and the ears make it late. */
const rendered = (position) => 2400 + Math.round((Math.hypot(...position) / 343.2) * 48000);
const played = (delay = 0) => 2400 + 72 + Math.round(delay * 48000);

const file = (name) => join(folder, 'small-render', `audio-${name}.wav`);

test('precomputed radiation is heard as it is rendered, near and far', { skip }, async () => {
  const frequencies = modes.map((mode) => mode.frequency_hz);
  for (const [i, position] of heads.entries()) {
    const wanted = partials(wav(file(`mono-${i}`)), rendered(position), frequencies).map(decibels);
    const { nearest, ears: [sound] } = await heard(position, false);
    assert.ok(nearest < 1e-6, `${nearest}`);
    const got = partials(sound, played(), frequencies).map(decibels);
    const loudest = Math.max(...wanted);
    const worst = Math.max(...wanted.map((level, k) => (level > loudest - 50 ? Math.abs(got[k] - level) : 0)));
    if (process.env.PEAL_TRACE) frequencies.forEach((f, k) => console.log(f, wanted[k], got[k]));
    console.log(`at ${position}: ${modes.length} modes, levels within ${worst.toFixed(3)} dB`);
    assert.ok(worst < 0.1, `${worst}`);
  }
});

test('both ears hear the levels and the delay that are rendered, at any distance', { skip }, async () => {
  const frequencies = modes.map((mode) => mode.frequency_hz);
  for (const [i, position] of heads.entries()) {
    const wanted = wav(file(`ears-${i}`), 2).map((ear) => partials(ear, rendered(position), frequencies));
    const { ears, delay } = await heard(position, true);
    const got = ears.map((ear) => partials(ear, played(delay), frequencies));
    const loudest = Math.max(...wanted[0].map(decibels), ...wanted[1].map(decibels));
    let worst = 0, lag = 0;
    frequencies.forEach((f, k) => {
      for (const ear of [0, 1]) {
        const level = decibels(wanted[ear][k]);
        if (process.env.PEAL_TRACE) console.log(ear, f, level, decibels(got[ear][k]));
        if (level > loudest - 40) worst = Math.max(worst, Math.abs(decibels(got[ear][k]) - level));
      }
      // The lag of one ear behind the other, by the phase of the partial.
      const phase = (pair) => Math.atan2(pair[0][k][1], pair[0][k][0]) - Math.atan2(pair[1][k][1], pair[1][k][0]);
      const turn = (phase(got) - phase(wanted)) / (2 * Math.PI);
      if (decibels(wanted[0][k]) > loudest - 40) lag = Math.max(lag, Math.abs(turn - Math.round(turn)) / f);
    });
    console.log(`ears at ${position}: levels within ${worst.toFixed(2)} dB, lags within ${(1e6 * lag).toFixed(1)} us`);
    // The page has directions every 7.5 degrees, between those that were measured every 5.
    assert.ok(worst < 1.6 && lag < 1e-5, `${worst} dB, ${lag} s`);
  }
});

test('nothing went wrong in the page', { skip }, () => assert.deepEqual(faults, []));
