// Where the page's files come from: the page itself (one HTML file), or the server.

const embedded = new Map();
for (const script of document.querySelectorAll('script[data-file]')) embedded.set(script.dataset.file, script.textContent);

export const token = location.hash.slice(1);

function decode(name) {
  return Uint8Array.from(atob(embedded.get(name)), (c) => c.charCodeAt(0));
}

export function address(path, parameters = {}) {
  const query = new URLSearchParams(token ? { ...parameters, token } : parameters).toString();
  return query ? `${path}?${query}` : path;
}

/** @returns {Promise<ArrayBuffer>} */
export async function file(name) {
  if (embedded.has(name)) return decode(name).buffer;
  const answer = await fetch(address(name));
  if (!answer.ok) throw new Error(`${name}: ${(await answer.text()).trim()}`);
  return answer.arrayBuffer();
}

/** A file of the program: a text, and arrays that it locates (docs/explorer.md). @param {ArrayBuffer} buffer */
export function readArrays(buffer) {
  const size = new DataView(buffer).getUint32(0, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  return { json, array: (Type, place) => new Type(buffer, 4 + size + place.offset, place.count) };
}

/** A page that was opened as a file may load a worklet from a data: address only. */
export function workletUrl() {
  return embedded.has('worklet.js') ? `data:text/javascript;base64,${embedded.get('worklet.js')}` : 'worklet.js';
}

/** The worker that solves ideal shapes: its methods as functions that return promises. */
export async function startCore() {
  const url = embedded.has('core-worker.js')
    ? URL.createObjectURL(new Blob([decode('core-worker.js')], { type: 'text/javascript' })) : 'core-worker.js';
  const worker = new Worker(url);
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data: { id, result, problem } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) resolve(result);
    else reject(new Error(problem));
  };
  const ask = (method, ...parameters) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    worker.postMessage({ id: last, method, parameters });
  });
  await ask('start', await file('core.wasm'));
  return {
    solve: (...parameters) => ask('solve', ...parameters),
    displacement: (...parameters) => ask('displacement', ...parameters),
  };
}
