// Makes web/dist from web/src and web/core: node build.mjs [--scripts | --check]. With --scripts the WebAssembly modules,
// which need clang-19, stay as they are; --check compares the scripts in dist with what would be made.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { fingerprint } from './fingerprint.mjs';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const { outputFiles } = buildSync({
  absWorkingDir: process.cwd(),
  entryPoints: ['app', 'worklet', 'core-worker'].map((name) => `src/${name}.js`),
  outdir: 'dist',
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'eof',
  charset: 'utf8',
});

if (process.argv.includes('--check')) {
  const other = outputFiles.filter(({ path, contents }) => Buffer.compare(readFileSync(path), contents) !== 0);
  if (other.length > 0) throw new Error(`not what its sources make: ${other.map(({ path }) => basename(path)).join(', ')}`);
} else {
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  for (const name of ['index.html', 'style.css']) cpSync(`src/${name}`, `dist/${name}`);
  if (!process.argv.includes('--scripts')) execFileSync('core/build', ['dist'], { stdio: 'inherit' });
  writeFileSync('dist/manifest.json', `${JSON.stringify(fingerprint(), null, 2)}\n`);
}
