// What web/dist was made from: node fingerprint.mjs says whether it is current.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');

/** Files that a source includes from Peal, and those that they include. */
function withHeaders(files) {
  const all = new Set(files);
  for (const file of all) {
    for (const [, included] of readFileSync(join(root, file), 'utf8').matchAll(/^#include <(peal\/[^>]+)>/gm))
      all.add(normalize(join('src', included)));
  }
  return [...all];
}

/** Sources of the page and of its WebAssembly modules, and a hash of each. */
export function fingerprint() {
  const core = execFileSync('web/core/build', ['.', '--list'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const page = readdirSync(join(root, 'web/src')).map((name) => `web/src/${name}`);
  const others = ['web/core/build', 'web/build.mjs', 'web/package-lock.json'];
  const files = [...withHeaders(core), ...page, ...others].sort();
  const hash = (file) => createHash('sha256').update(readFileSync(join(root, file))).digest('hex').slice(0, 16);
  return { sources: Object.fromEntries(files.map((file) => [file, hash(file)])) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stored = JSON.parse(readFileSync(join(here, 'dist/manifest.json'), 'utf8')).sources;
  const now = fingerprint().sources;
  const changed = [...new Set([...Object.keys(stored), ...Object.keys(now)])].filter((file) => stored[file] !== now[file]);
  if (changed.length > 0) {
    console.error(`web/dist is older than ${changed.join(', ')}: run \`npm ci\` and \`npm run build\` in web/.`);
    process.exit(1);
  }
}
