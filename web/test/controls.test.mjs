// What users do beside striking: MIDI, metronome, limiter, maps, saving, looks.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { barMesh, browser, faults, folder, open, peal, requests, run, serve, wav } from './explorer.mjs';

const chromium = await browser();
const skip = chromium === null;
let server, page, mesh;

before(async () => {
  if (skip) return;
  mesh = barMesh('bar.obj');
  server = await serve(mesh, '--material', 'brass');
  page = await open(chromium, server.address, undefined, (opened) => opened.addInitScript(() => {
    window.keyboard = {};
    navigator.requestMIDIAccess = async () => ({ inputs: new Map([['keyboard', window.keyboard]]) });
  }));
});
after(async () => {
  await chromium?.close();
  await server?.stop();
});

/** The file that a click makes the browser save. */
async function saved(selector) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120000 }), page.click(selector)]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

test('MIDI notes strike, harder when faster; their ends do not', { skip }, async () => {
  await page.click('#midi');
  await page.waitForFunction(() => document.getElementById('midi').textContent === 'MIDI: 1 inputs');
  const impulses = await page.evaluate(async () => {
    const sent = [], send = explorer.audio.send;
    explorer.audio.send = (message) => (message.type === 'strike' && sent.push(message.impulse), send.call(explorer.audio, message));
    for (const data of [[0x90, 60, 40], [0x90, 60, 120], [0x90, 60, 0], [0x80, 60, 64]]) window.keyboard.onmidimessage({ data });
    explorer.audio.send = send;
    return sent;
  });
  assert.equal(impulses.length, 2);
  assert.ok(Math.abs(impulses[1] / impulses[0] - 9) < 1e-6, 'speed goes as the square of the velocity');
});

test('repeated strikes come at even times of the audio clock', { skip }, async () => {
  const { strikes, rate } = await page.evaluate(async () => {
    const strikes = [], hear = explorer.hear.bind(explorer), send = explorer.audio.send;
    explorer.audio.send = (message) => (message.type === 'strike' && strikes.push({ mark: message.mark, at: message.at }),
      send.call(explorer.audio, message));
    explorer.hear = (message) => {
      const strike = message.type === 'struck' && strikes.find(({ mark }) => mark === message.mark);
      if (strike) strike.frame = message.frame; // not one of another test
      hear(message);
    };
    document.getElementById('beat').value = 0.1;
    document.getElementById('metronome').click();
    const known = () => strikes.filter(({ frame }) => frame !== undefined);
    for (let i = 0; i < 200 && known().length < 8; ++i) await new Promise((resolve) => setTimeout(resolve, 100));
    document.getElementById('metronome').click();
    explorer.audio.send = send;
    delete explorer.hear;
    return { strikes: known(), rate: explorer.rate };
  });
  assert.ok(strikes.length >= 8, `${strikes.length}`);
  // Strikes are asked for ahead. Where other work on the machine keeps the page from that, they come late, but never early.
  strikes.forEach(({ at, frame }) => assert.ok(frame / rate - at > -1e-4, `${frame / rate} ${at}`));
  assert.ok(strikes.some(({ at, frame }) => frame / rate - at < 1e-4), 'some are on time');
  const gaps = strikes.slice(1).map(({ at }, i) => at - strikes[i].at);
  assert.ok(gaps.every((gap) => gap > 0.0999), `${gaps}`);
});

test('the status says how long after the event sound begins', { skip }, async () => {
  await page.evaluate(() => { explorer.onsets.length = 0; });
  const onsets = await page.evaluate(async () => {
    for (let i = 0; i < 10; ++i) {
      await explorer.controls.strikeAgain();
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    return explorer.onsets;
  });
  await page.waitForFunction(() => /^onset [\d.]+ ms \(worst [\d.]+\) \+ device \d+ ms/.test(document.getElementById('status').textContent));
  const sorted = [...onsets].sort((a, b) => a - b);
  console.log(`onsets after the event: median ${(1000 * sorted[5]).toFixed(1)} ms, worst ${(1000 * sorted[9]).toFixed(1)} ms`);
  // 2 to 3 ms on an idle machine; other work comes between.
  assert.ok(sorted[0] > 0.002 && sorted[0] < 0.1, `${sorted}`);
});

test('the limiter says when it acts', { skip }, async () => {
  const volume = (value) => page.evaluate((value) => {
    const slider = document.getElementById('volume');
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
  }, value);
  assert.ok(await page.isHidden('#limiter'));
  await volume(30);
  await page.evaluate(() => { window.hits = setInterval(() => explorer.controls.strikeAgain(4), 50); });
  await page.waitForSelector('#limiter:not([hidden])', {});
  await page.evaluate(() => clearInterval(window.hits));
  await volume(0);
  await page.waitForSelector('#limiter', { state: 'hidden' });
});

test('the sound map is the sonic distance from the struck point, and a watched mode moves', { skip }, async () => {
  await page.check('#map');
  await page.waitForSelector('#map-text:not([hidden])');
  const { own, far } = await page.evaluate(async () => {
    const body = explorer.selected;
    const place = explorer.places.get(body.id);
    const map = await explorer.mapOf(body);
    const point = body.pointOf(place.triangle, place.barycentrics);
    const distances = Array.from(map, (_, v) => Math.hypot(...point.map((x, k) => x - body.data.vertices[3 * v + k])));
    return { own: map[distances.indexOf(Math.min(...distances))], far: Math.max(...map) };
  });
  assert.equal(far, 1);
  assert.ok(own < 0.5, `${own}`);
  await page.uncheck('#map');
  await page.click('button[aria-label^="Isolate mode 1,"]');
  const heights = await page.evaluate(async () => {
    const heights = [];
    for (let i = 0; i < 12; ++i) {
      const { array } = explorer.view.meshes.get(explorer.selected.id).geometry.getAttribute('position');
      heights.push(array.slice(0, 90).join());
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    return heights;
  });
  assert.ok(new Set(heights).size > 1, 'the view may be slow, but moves');
  await page.keyboard.press('Escape');
});

test('a recording is a WAV file with both ears', { skip }, async () => {
  await page.click('#record');
  await page.evaluate(() => explorer.controls.strikeAgain(1));
  await page.waitForTimeout(600);
  const [left, right] = wav(await saved('#record'), 2);
  assert.ok(left.length > 0.3 * 44100, `${left.length}`);
  for (const ear of [left, right]) {
    const peak = ear.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    assert.ok(peak > 0.01 && peak <= 1, `${peak}`);
  }
});

test('a bank of hits is one WAV and a list of where each is', { skip }, async () => {
  const files = [];
  page.on('download', (download) => files.push(download));
  await page.click('#bank');
  for (let i = 0; i < 1200 && files.length < 2; ++i) await page.waitForTimeout(100);
  const paths = files.map((download) => join(folder, download.suggestedFilename()));
  for (const [i, download] of files.entries()) await download.saveAs(paths[i]);
  const { hits, body } = JSON.parse(readFileSync(paths.find((path) => path.endsWith('.json')), 'utf8'));
  const [left] = wav(paths.find((path) => path.endsWith('.wav')), 2);
  assert.equal(body, 'bar');
  assert.equal(hits.length, 24);
  assert.equal(left.length, hits.reduce((sum, hit) => sum + hit.samples, 0));
  for (const { begin_sample: begin, samples, at_m: at } of hits) {
    assert.equal(at.length, 3);
    const peak = left.subarray(begin, begin + samples).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    assert.ok(peak > 1e-4, `${peak} at ${at}`);
  }
});

test('the saved modes are those of the program', { skip }, async () => {
  const path = await saved('#save-modes');
  const own = JSON.parse(run('modes', path, '--json')).modes;
  const { modes } = JSON.parse(run('modes', mesh, '--material', 'brass', '--json'));
  assert.deepEqual(own.map((mode) => mode.frequency_hz), modes.map((mode) => mode.frequency_hz));
});

test('the saved page plays by itself', { skip }, async () => {
  const path = await saved('#save-page');
  const alone = await open(chromium, `file://${path}`, { width: 640, height: 480 });
  assert.ok((await alone.evaluate(() => explorer.controls.strikeAgain())).frame >= 0);
  assert.ok(await alone.isHidden('#save-page'));
  await alone.close();
});

test('the strike as a command runs in a shell', { skip }, async () => {
  await page.selectOption('#material', 'bronze');
  await page.fill('#dimensions input', '1.5');
  await page.press('#dimensions input', 'Tab');
  await page.click('#next');
  await page.waitForFunction(() => document.getElementById('command').value.includes('--scale 1.5'));
  const command = await page.inputValue('#command');
  assert.match(command, /^peal strike .*bar\.obj --material bronze --scale 1\.5 --at /);
  const out = join(folder, 'command');
  execFileSync('/bin/sh', ['-c', command.replace(/^peal/, `"${peal}"`) + ` --duration 0.3 -o "${out}"`], { stdio: 'pipe' });
  assert.ok(wav(join(out, 'audio.wav')).some((x) => x !== 0));
  await page.fill('#dimensions input', '1');
  await page.press('#dimensions input', 'Tab');
  await page.selectOption('#material', 'brass');
});

test('dark and light are readable', { skip }, async () => {
  const backgrounds = new Set();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const contrasts = await page.evaluate(() => {
      const parts = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
      const luminance = (rgb) => rgb.map((x) => x / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
        .reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
      const panel = luminance(parts(getComputedStyle(document.querySelector('aside')).backgroundColor));
      return ['h1', '#status', 'label', 'legend', 'td'].map((selector) => {
        const text = luminance(parts(getComputedStyle(document.querySelector(selector)).color));
        return [selector, (Math.max(text, panel) + 0.05) / (Math.min(text, panel) + 0.05)];
      });
    });
    for (const [selector, contrast] of contrasts) assert.ok(contrast >= 4.5, `${selector} ${contrast} (WCAG 2.1) in ${colorScheme}`);
    backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  assert.equal(backgrounds.size, 2);
});

test('supports of ideal shapes change their modes as the program has them', { skip }, async () => {
  const bars = await serve(new URL('../../scenes/1998-shapes/bar/scene.json', import.meta.url).pathname);
  const opened = await open(chromium, bars.address, { width: 640, height: 480 });
  const numbers = await opened.evaluate(() => explorer.selected.numbers);
  const ends = ['free', 'clamped', 'pinned', 'sliding'];
  const material = await opened.evaluate(() => explorer.selected.material.name);
  for (const [left, right] of [['clamped', 'free'], ['pinned', 'pinned'], ['free', 'free']]) {
    await opened.selectOption('#dimensions label:has-text("Left end") select', String(ends.indexOf(left)));
    await opened.selectOption('#dimensions label:has-text("Right end") select', String(ends.indexOf(right)));
    const shape = { bar: { length: numbers[1], width: numbers[2], thickness: numbers[3], ends: [left, right] } };
    const { modes } = JSON.parse(run('modes', '--shape', JSON.stringify(shape), '--material', material, '--json'));
    await opened.waitForFunction((f) => Math.abs(explorer.selected.frequencies[0] / f - 1) < 1e-9, modes[0].frequency_hz);
    const shown = await opened.evaluate(() => [...explorer.selected.frequencies]);
    shown.forEach((f, i) => assert.ok(Math.abs(f / modes[i].frequency_hz - 1) < 1e-9));
  }
  await opened.close();
  await bars.stop();
});

test('nothing went wrong on the way, and nothing was fetched from elsewhere', { skip }, () => {
  assert.deepEqual(faults, []);
  assert.deepEqual(requests.filter((url) => !/^(data|blob|file):|^http:\/\/127\.0\.0\.1:/.test(url)), []);
});
