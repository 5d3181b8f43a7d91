// Starts `peal explore` and Chromium for the tests.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const peal = process.env.PEAL ?? new URL('../../build/release/bin/peal', import.meta.url).pathname;
export const folder = mkdtempSync(join(tmpdir(), 'peal-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A bar of triangles; sizes in metres. */
export function barMesh(name, [x, y, z] = [0.2, 0.012, 0.03]) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z].map((c) => c / 2));
  const faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
  const lines = [...corners.map((c) => `v ${c.join(' ')}`), ...faces.map((f) => `f ${f.join(' ')}`)];
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

export function run(...words) {
  return execFileSync(peal, words, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The server of `peal explore` with these arguments: its address, and how to end it. */
export async function serve(...words) {
  const child = spawn(peal, ['explore', '--json', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  let text = '';
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      text += part;
      if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text).address);
    });
    ended.then((code) => reject(new Error(`peal explore ended with ${code}: ${text}`)));
  });
  return { address, stop: () => (child.kill('SIGTERM'), ended) };
}

/** Chromium, or null with the reason printed. */
export async function browser() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  const library = await import('playwright-core').catch(() => null);
  if (!executablePath || !library) {
    console.log(`left out: ${executablePath ? 'run `npm ci` in web/' : 'chromium is not installed'} (scripts/test installs it)`);
    return null;
  }
  return library.chromium.launch({ executablePath, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--autoplay-policy=no-user-gesture-required', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic'] });
}

/** What pages asked for, and what went wrong in them. */
export const requests = [], faults = [];

/** A page of the explorer that is ready to play. */
export async function open(chromium, address, size = { width: 1000, height: 700 }, prepare = () => {}) {
  const opened = await chromium.newPage({ viewport: size });
  opened.setDefaultTimeout(120000); // of a machine that does other work, too
  opened.on('request', (request) => requests.push(request.url()));
  opened.on('pageerror', (error) => faults.push(error.message));
  opened.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await prepare(opened);
  await opened.goto(address);
  await opened.waitForSelector('body[data-ready]');
  return opened;
}

/** The samples of a WAV file of 32-bit float, channel after channel. */
export function wav(path, channels = 1) {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('data') + 8;
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + 4 * Math.floor((bytes.length - at) / 4)));
  if (channels === 1) return all;
  return Array.from({ length: channels }, (_, c) => all.filter((_, i) => i % channels === c));
}

/** Complex amplitudes at frequencies [Hz] of samples at 48 kHz from `first` on, under a Blackman window. */
export function partials(samples, first, frequencies, count = 16384) {
  return frequencies.map((f) => {
    let re = 0, im = 0;
    for (let n = 0; n < count; ++n) {
      const x = (2 * Math.PI * n) / count, window = 0.42 - 0.5 * Math.cos(x) + 0.08 * Math.cos(2 * x);
      const angle = (2 * Math.PI * f * n) / 48000;
      re += window * samples[first + n] * Math.cos(angle);
      im -= window * samples[first + n] * Math.sin(angle);
    }
    return [re, im];
  });
}

export const decibels = ([re, im]) => 10 * Math.log10(re * re + im * im);
