import { Core } from './core.js';

let core;
self.onmessage = ({ data: { id, method, parameters } }) => {
  try {
    if (method === 'start') core = new Core(new WebAssembly.Module(parameters[0]));
    self.postMessage({ id, result: method === 'start' ? true : core[method](...parameters) });
  } catch (error) {
    self.postMessage({ id, problem: String(error?.message ?? error) });
  }
};
