// Starts `peal explore` and Chromium for the tests.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
