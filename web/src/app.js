// The page: what pointers, keys and controls do to bodies, sound and pictures.
import { Audio, download, wavFile } from './audio.js';
import { Body, readBody } from './body.js';
import { address, file, startCore, token, workletUrl } from './files.js';
import { Controls } from './controls.js';
import { MeasuredHead, SphereHead, noHead } from './head.js';
import { materialJson, shapeJson } from './ideal.js';
import { hertzContact, pulseResponse } from './physics.js';
import { Pictures } from './pictures.js';
import { sonicDistances } from './sound-map.js';
import { View } from './view.js';

const element = (id) => document.getElementById(id);
const gainRamp = 512 / 48000; // [s]: moving gains make no clicks
const glide = 0.05; // [s] of changing frequencies

class Explorer {
  constructor() {
    this.bodies = [];
    this.selected = null;
    this.places = new Map(); // the point that was struck last, by body
    this.touches = new Map(); // pointers that scrape or hold
    this.meter = null;
    this.volumeBase = 1;
    this.marks = new Map(); // strikes on their way to the worklet
    this.lastMark = 0;
    this.recorded = null;
    this.job = null; // of the server, while it computes modes
    this.onsets = []; // of the last strikes: from the event to their first sample, on the audio clock [s]
    this.problems = [];
  }

  // --- start ---

  async start() {
    this.session = JSON.parse(new TextDecoder().decode(await file('session.json')));
    this.air = { speed: this.session.speed_of_sound_m_per_s, density: this.session.air_density_kg_per_m3 };
    element('title').textContent = this.session.title;
    this.core = await startCore();
    this.say('Loading …');
    try {
      this.view = new View(element('canvas'));
    } catch {
      this.view = null;
      this.say('This browser has no WebGL: choose points by list and keyboard.');
    }
    this.pictures = new Pictures(element('spectrogram'), element('spectrum'));
    await this.openAudio();
    this.headFile = this.session.head && await file(this.session.head);
    this.head = this.headFile ? new MeasuredHead(this.headFile, this.rate) : new SphereHead(this.rate, this.air.speed);
    if (this.head.name) element('head-text').textContent = `Two ears: ${this.head.name} (headphones)`;
    this.controls = new Controls(this);
    for (const { file: name } of this.session.bodies) await this.addBody(await file(name));
    if (this.view) this.view.frame(this.session.listener);
    this.select(this.bodies.find((body) => body.sounds));
    this.findVolume();
    this.updateEars();
    this.controls.connect();
    this.say(this.session.notices.join('\n') && '');
    this.frame();
    document.body.dataset.ready = 'true';
  }

  async openAudio() {
    const context = new AudioContext({ latencyHint: 0 });
    this.engineBytes = await file('engine.wasm');
    this.audio = await Audio.open(context, { worklet: workletUrl(), engine: this.engineBytes },
      (message) => this.hear(message));
    this.rate = context.sampleRate;
    const resume = () => context.resume();
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, resume, { capture: true });
  }

  async addBody(buffer) {
    const body = new Body(this.bodies.length, readBody(buffer), this.air);
    if (body.isIdeal) await this.solveIdeal(body);
    this.bodies.push(body);
    if (this.view) this.view.add(body);
    if (body.sounds) {
      this.sendBody(body);
      this.places.set(body.id, await this.firstPlace(body));
    }
    return body;
  }

  async solveIdeal(body) {
    body.takeSolution(await this.core.solve(body.id, body.material, body.json.max_frequency_hz, body.numbers));
    body.fields = null;
  }

  sendBody(body) {
    this.audio.send({ type: 'add', body: body.id, ...body.engineModes() });
    this.sendEars(body, 0);
  }

  /** The strike of the scene, or the middle of the surface's largest triangle. */
  async firstPlace(body) {
    const { vertices, triangles } = body.data;
    const wanted = body.json.strike?.at;
    let best = 0, least = Infinity;
    for (let t = 0; t < triangles.length / 3; ++t) {
      const centre = body.pointOf(t, [1 / 3, 1 / 3, 1 / 3]);
      const to = wanted ?? [body.centre[0] + 1e-3, body.centre[1] + 1e6, body.centre[2]];
      const distance = centre.reduce((sum, x, k) => sum + (x - to[k]) ** 2, 0);
      if (distance < least) [least, best] = [distance, t];
    }
    return this.place(body, best, [1 / 3, 1 / 3, 1 / 3]);
  }

  // --- places ---

  /** A point of a body and the gains of a force there. */
  async place(body, triangle, barycentrics) {
    const at = { body, triangle, barycentrics };
    if (body.isIdeal) {
      const [x, , z] = body.pointOf(triangle, barycentrics);
      at.ideal = await this.core.displacement(body.id, [x, z]);
    }
    at.gains = body.strikeGains(at);
    return at;
  }

  async renewPlace(body) {
    const at = this.places.get(body.id);
    if (at) this.places.set(body.id, await this.place(body, at.triangle, at.barycentrics));
  }

  // --- listening ---

  listener() {
    const head = element('binaural').checked ? this.head : noHead;
    if (!this.view) return { position: [0, 0.3, 1.5], right: [1, 0, 0], up: [0, 1, 0], head };
    return { ...this.view.listener(), head };
  }

  sendEars(body, ramp = gainRamp) {
    this.audio.send({ type: 'ears', body: body.id, ...body.ears(this.listener()), ramp: Math.round(ramp * this.rate) });
  }

  updateEars() {
    for (const body of this.bodies) if (body.sounds) this.sendEars(body);
  }

  /** A strike of ordinary strength on the loudest body uses a third of full scale. */
  findVolume() {
    let loudest = 1e-12;
    for (const body of this.bodies) {
      if (!body.sounds) continue;
      const { contactTime, impulse } = this.contact(body, 1);
      const { gains } = body.ears(this.listener());
      const struck = this.places.get(body.id).gains;
      let sum = 0;
      for (let i = 0; i < body.modes; ++i) {
        const heard = Math.hypot(gains[2 * i], gains[2 * i + 1]);
        sum += (heard * struck[i] * impulse * pulseResponse(contactTime, body.frequencies[i]) *
          2 * Math.PI * body.frequencies[i]) ** 2;
      }
      loudest = Math.max(loudest, Math.sqrt(sum));
    }
    this.volumeBase = 0.35 / (2 * loudest);
    this.sendVolume();
  }

  sendVolume() {
    const decibels = Number(element('volume').value);
    this.volume = this.volumeBase * 10 ** (decibels / 20);
    this.audio.send({ type: 'volume', volume: this.volume });
    element('volume-text').textContent = `full scale = ${short(1 / this.volume)} Pa`;
  }

  /** The reverberation that is chosen: none, or a room by its volume [m^3] and reverberation time [s]. */
  room() {
    const volume = element('room').checked ? 10 ** Number(element('room-volume').value) : 0;
    const low = 10 ** Number(element('room-time').value);
    return { type: 'room', volume, low, high: 0.3 * low };
  }

  showAccount(account) {
    const names = ['given', 'in-modes', 'radiated', 'dissipated'];
    names.forEach((name, i) => { element(`energy-${name}`).textContent = account ? energy(account[i]) : ''; });
  }

  hear(message) {
    if (message.type === 'meter') {
      this.meter = message;
      this.showAccount(message.account);
      element('limiter').hidden = message.limiter > 0.999;
    } else if (message.type === 'wave') {
      this.pictures.take(message.samples);
    } else if (message.type === 'samples') {
      this.recorded?.push(message.samples);
    } else if (message.type === 'struck') {
      this.strikeReported = message;
      this.marks.get(message.mark)?.(message);
      this.marks.delete(message.mark);
    } else if (message.type === 'problem') {
      this.say(message.text);
    }
  }

  // --- strikes ---

  contact(body, speed = 10 ** Number(element('strength').value)) {
    const mallet = { mass: 0.02, radius: 0.01, modulus: 10 ** Number(element('hardness').value), poisson: 0.3,
      restitution: 0.5, speed };
    const material = body.material ?? { poisson_ratio: 0.3, young_modulus: 1e11 };
    return hertzContact(mallet, material, body.mass);
  }

  /** Strikes a place; `at` [s] on the audio clock, else at once. Resolves when the engine has it. */
  strike(place, { speed, at, contactTime, impulse } = {}) {
    const { body } = place;
    const contact = { ...this.contact(body, speed), ...(contactTime && { contactTime, impulse }) };
    const mark = ++this.lastMark;
    const asked = at ?? this.audio.context.currentTime;
    const heard = new Promise((resolve) => this.marks.set(mark, (message) => {
      this.onsets.push(message.onset - asked);
      if (this.onsets.length > 20) this.onsets.shift();
      resolve(message);
    }));
    const click = body.clickSound(place, contact, this.listener(), this.rate);
    this.audio.send({ type: 'strike', body: body.id, at, ...contact, gains: place.gains, click, mark });
    this.places.set(body.id, place);
    this.showPlace(place, contact);
    return heard;
  }

  showPlace(place, contact) {
    const point = place.body.pointOf(place.triangle, place.barycentrics);
    const millimetres = point.map((x) => (1000 * x * place.body.size).toFixed(1)).join(', ');
    element('struck').textContent = `${place.body.name} at (${millimetres}) mm, ` +
      `${short(1000 * contact.contactTime)} ms, ${short(1000 * contact.impulse)} mN s`;
    element('command').value = command(place.body, point, contact, this.session.materials);
    if (this.view) this.view.mark(place.body, point);
    if (element('map').checked) this.showColours();
  }

  // --- pointers ---

  async press(event, hit) {
    const { body } = hit;
    if (!body.sounds) return;
    if (body !== this.selected) this.select(body);
    const place = await this.place(body, hit.triangle, hit.barycentrics);
    if (event.shiftKey) {
      this.touches.set(event.pointerId, { body, kind: 'hold' });
      this.audio.send({ type: 'hold', body: body.id, gains: place.gains, damper: holdDamper(body) });
      return;
    }
    this.strike(place);
    const contact = [...this.touches.values()].filter((touch) => touch.body === body).length % 8;
    this.touches.set(event.pointerId, { body, kind: 'press', contact, point: body.pointOf(hit.triangle, hit.barycentrics),
      time: event.timeStamp, x: event.clientX, y: event.clientY });
  }

  async drag(event, hit) {
    const touch = this.touches.get(event.pointerId);
    if (!touch) return;
    if (touch.kind === 'press' && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > 4) touch.kind = 'scrape';
    if (touch.kind === 'press' || !hit || hit.body !== touch.body || touch.busy) return;
    touch.busy = true;
    const place = await this.place(hit.body, hit.triangle, hit.barycentrics);
    touch.busy = false;
    if (!this.touches.has(event.pointerId)) return;
    if (touch.kind === 'hold') {
      this.audio.send({ type: 'hold', body: touch.body.id, gains: place.gains, damper: holdDamper(touch.body) });
      return;
    }
    const point = hit.body.pointOf(hit.triangle, hit.barycentrics);
    const moved = Math.hypot(...point.map((x, k) => x - touch.point[k])) * hit.body.size;
    const passed = Math.max((event.timeStamp - touch.time) / 1000, 1e-3);
    touch.point = point;
    touch.time = event.timeStamp;
    this.scrape(place, touch.contact, Math.min(moved / passed, 5));
    clearTimeout(touch.still);
    touch.still = setTimeout(() => this.scrape(place, touch.contact, 0), 80);
  }

  /** Slides over a point at this speed [m/s]. */
  scrape(place, contact, speed) {
    const roughness = 10 ** Number(element('roughness').value) * 1e-6; // [m]
    const strength = 10 ** Number(element('strength').value);
    const length = place.body.material?.roughness_length ?? 8e-4;
    // The contact patch is as long as the mallet's contact is round and soft; 0.3 mm for a hard tip.
    const patch = 3e-4 * 10 ** (0.25 * (11 - Number(element('hardness').value)));
    // The force of a spring of the contact's stiffness over the profile, against its weight.
    const force = speed > 1e-3 ? strength * 2e4 * roughness * Math.min(1, speed) ** 0.5 : 0;
    this.audio.send({ type: 'scrape', body: place.body.id, contact, gains: place.gains, force,
      rough: Math.max(speed / length, 20), touch: Math.max(speed / patch, 40), ramp: Math.round(0.016 * this.rate) });
    this.places.set(place.body.id, place);
    if (this.view) this.view.mark(place.body, place.body.pointOf(place.triangle, place.barycentrics));
  }

  release(event) {
    const touch = this.touches.get(event.pointerId);
    this.touches.delete(event.pointerId);
    if (!touch) return;
    const none = new Float32Array(touch.body.modes + touch.body.clickModes.length);
    if (touch.kind === 'hold') this.audio.send({ type: 'hold', body: touch.body.id, gains: none, damper: 0 });
    if (touch.kind === 'scrape') {
      clearTimeout(touch.still);
      const place = this.places.get(touch.body.id);
      this.scrape(place, touch.contact, 0);
    }
  }

  // --- bodies ---

  select(body) {
    if (!body) return;
    this.selected = body;
    this.audio.send({ type: 'watch', body: body.id });
    if (this.view) this.view.select(body);
    this.pictures.show(body.frequencies, this.rate);
    this.controls.show(body);
    this.showFacts();
    this.showColours();
  }

  showFacts() {
    const body = this.selected;
    const material = body.material?.name ? `${body.material.name}, ` : '';
    element('facts').textContent = `${body.name}: ${material}${body.modes} modes, ${mass(body.mass)}`;
  }

  /** Material, size or damping have changed by laws: frequencies glide. */
  async changed(body) {
    body.update();
    this.audio.send({ type: 'modes', body: body.id, ...body.engineModes(), glide });
    await this.renewPlace(body);
    if (this.view) this.view.refresh(body);
    this.updateEars();
    this.pictures.show(body.frequencies, this.rate);
    this.controls.showModes(body);
    this.controls.showState(body);
    this.showFacts();
    this.showColours();
  }

  /** Numbers of an ideal shape have changed: it is solved again. */
  async resolve(body) {
    const before = body.modes;
    try {
      await this.solveIdeal(body);
    } catch (error) {
      this.say(error.message);
      return;
    }
    if (body.modes !== before) {
      body.isolated = null;
      body.muted.clear();
      this.audio.send({ type: 'remove', body: body.id });
      this.sendBody(body);
    }
    await this.changed(body);
  }

  setHeard(body) {
    this.sendEars(body);
    this.controls.showMutes(body);
    this.showColours();
  }

  isolate(body, mode) {
    body.isolated = body.isolated === mode ? null : mode;
    this.setHeard(body);
  }

  async fieldsOf(body) {
    if (body.isIdeal && !body.fields) {
      const { vertices } = body.data;
      const points = [];
      for (let v = 0; v < vertices.length; v += 3) points.push(vertices[v], vertices[v + 2]);
      body.fields = await this.core.displacement(body.id, points);
    }
  }

  /** The isolated mode as colours, or the sound map, or neither. */
  async showColours() {
    const body = this.selected;
    const mapped = element('map').checked;
    element('map-text').hidden = !mapped;
    if (!this.view || !body?.sounds) return;
    for (const other of this.bodies) {
      if (other === this.coloured) this.view.colour(other, null);
      if (other === this.bent) this.view.bend(other, null, 0);
    }
    this.coloured = this.bent = null;
    if (body.isolated === null && !mapped) return;
    await this.fieldsOf(body);
    this.coloured = body;
    if (body.isolated === null) return this.view.colour(body, await this.mapOf(body));
    const field = body.modeField(body.isolated);
    let largest = 1e-30;
    for (let i = 0; i < field.length; ++i) largest = Math.max(largest, Math.abs(field[i]));
    const normals = this.view.meshes.get(body.id).geometry.getAttribute('normal').array;
    this.view.colour(body, Float32Array.from({ length: field.length / 3 }, (_, v) => (field[3 * v] * normals[3 * v] +
      field[3 * v + 1] * normals[3 * v + 1] + field[3 * v + 2] * normals[3 * v + 2]) / largest));
    this.bent = body;
    this.bending = { field, scale: 0.05 * extent(body) / largest };
  }

  /** Sonic distances of all vertices from the struck point, 0 (alike) to 1. */
  async mapOf(body) {
    const { vertices } = body.data;
    const points = vertices.length / 3;
    const gains = new Float32Array(points * body.modes);
    if (body.isIdeal) {
      gains.set(body.fields);
    } else {
      const normals = this.view.meshes.get(body.id).geometry.getAttribute('normal').array;
      for (let i = 0; i < body.modes; ++i) {
        const field = body.modeField(i);
        for (let v = 0; v < points; ++v)
          gains[v * body.modes + i] = field[3 * v] * normals[3 * v] + field[3 * v + 1] * normals[3 * v + 1] +
            field[3 * v + 2] * normals[3 * v + 2];
      }
    }
    const reference = this.places.get(body.id).gains.subarray(0, body.modes);
    const distances = sonicDistances(reference, gains, body.frequencies);
    const largest = Math.max(...distances, 1e-6);
    return Float32Array.from(distances, (d) => d / largest);
  }

  /** Another point of the surface: a fixed, even sequence. */
  async otherPlace(body) {
    const count = body.data.triangles.length / 3;
    this.steps = (this.steps ?? 0) + 1;
    const triangle = Math.floor(((this.steps * 0.6180339887) % 1) * count);
    const place = await this.place(body, triangle, [1 / 3, 1 / 3, 1 / 3]);
    return this.strike(place);
  }

  // --- server ---

  /** Lets the server find the modes of a mesh: a file, or the selected body with its new material. */
  async solve(parameters, bytes, name) {
    const answer = await fetch(address('api/solve', parameters), { method: 'POST', body: bytes,
      headers: { 'Content-Type': 'application/octet-stream' } });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const { job } = await answer.json();
    this.job = job;
    try {
      for (;;) {
        const state = await (await fetch(address('api/job', { job }))).json();
        if (state.problem === 'cancelled') throw new Error(`${name}: cancelled`);
        if (state.problem) throw new Error(`${name} is refused: ${state.problem}`);
        if (state.body) return file(state.body);
        const part = state.step ? `${state.step}, ${Math.round(100 * state.fraction)} %` : 'starting';
        this.say(`${name}: ${part} (Esc cancels)`);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    } finally {
      this.job = null;
    }
  }

  cancelSolving() {
    return fetch(address('api/cancel', { job: this.job }), { method: 'POST' });
  }

  async drop(dropped) {
    if (!this.session.served || !token)
      return this.say('This page has no server to compute modes: start `peal explore` to open meshes.');
    const material = element('material').value || 'steel';
    try {
      const bytes = await dropped.arrayBuffer();
      const body = await this.addBody(await this.solve({ name: dropped.name, material }, bytes, dropped.name));
      body.file = dropped.name;
      if (this.view) this.view.putBeside(body);
      this.controls.listBodies();
      this.select(body);
      this.updateEars();
      this.say('');
      await this.strike(this.places.get(body.id));
    } catch (error) {
      this.say(error.message);
    }
  }

  /** Solves the selected mesh again when no further change has come for a while. */
  solveSoon(body) {
    clearTimeout(this.solving);
    if (!this.session.served || !token || !body.isApproximate()) return;
    this.solving = setTimeout(async () => {
      if (this.job !== null) await this.cancelSolving();
      if (this.selected === body && body.isApproximate()) this.solveAgain();
    }, 600);
  }

  /** The selected mesh with its present material, by finite elements. */
  async solveAgain() {
    const old = this.selected;
    const given = materialJson(old.material, this.session.materials);
    const material = typeof given === 'string' ? given : JSON.stringify(given);
    try {
      const buffer = await this.solve({ body: old.id, name: `${old.name}.ply`, material }, new ArrayBuffer(0), old.name);
      const body = await this.addBody(buffer);
      body.position = old.position;
      body.orientation = old.orientation;
      Object.assign(body, { file: old.file, size: old.size, dampingFactor: old.dampingFactor });
      await this.changed(body);
      this.hide(old);
      this.updateEars();
      this.controls.listBodies();
      this.select(body);
      this.say('');
    } catch (error) {
      this.say(error.message);
    }
  }

  /** A file that the server makes, for the user to keep. */
  async save(path, name) {
    try {
      download(name, 'application/octet-stream', await file(path));
    } catch (error) {
      this.say(error.message);
    }
  }

  hide(body) {
    body.sounds = false;
    if (this.coloured === body) this.coloured = this.bent = null;
    this.audio.send({ type: 'remove', body: body.id });
    if (this.view) this.view.remove(body);
  }

  // --- taking home ---

  toggleRecording() {
    const on = this.recorded === null;
    element('record').setAttribute('aria-pressed', String(on));
    this.audio.send({ type: 'record', on });
    if (on) {
      this.recorded = [];
      return null;
    }
    const samples = joined(this.recorded);
    this.recorded = null;
    const bytes = wavFile(samples, 2, this.rate);
    download('explorer.wav', 'audio/wav', bytes);
    return samples;
  }

  /** The engine's sound under these messages, as fast as possible. @returns {Promise<AudioBuffer>} */
  async renderOffline(messages, seconds) {
    const context = new OfflineAudioContext(2, Math.ceil(seconds * this.rate), this.rate);
    await Audio.open(context, { worklet: workletUrl(), engine: this.engineBytes }, (message) => this.warn(message), messages);
    return context.startRendering();
  }

  warn(message) {
    if (message.type === 'problem') this.say(message.text);
  }

  /** What the engine must know of a body before it sounds. */
  bodyMessages(body, listener = this.listener()) {
    return [{ type: 'add', body: body.id, ...body.engineModes() },
      { type: 'ears', body: body.id, ...body.ears(listener), ramp: 0 }, this.room(),
      { type: 'volume', volume: this.volume }];
  }

  /** Hits at places x strengths, one after another in one sound, and where each is. */
  async renderBank(places = 8, speeds = [0.2, 1, 4]) {
    const body = this.selected;
    const seconds = Math.min(3, Math.max(0.25, 6.9 / Math.min(...body.decays)));
    const messages = this.bodyMessages(body);
    const length = Math.ceil(seconds * this.rate);
    const hits = [], parts = [];
    for (let i = 0; i < places; ++i) {
      const triangle = Math.floor((((i + 1) * 0.6180339887) % 1) * (body.data.triangles.length / 3));
      const place = await this.place(body, triangle, [1 / 3, 1 / 3, 1 / 3]);
      for (const speed of speeds) {
        const contact = this.contact(body, speed);
        const click = body.clickSound(place, contact, this.listener(), this.rate);
        const strike = { type: 'strike', body: body.id, ...contact, gains: place.gains, click, at: 0.005 };
        const sound = await this.renderOffline([...messages, strike], seconds);
        const both = new Float32Array(2 * length);
        [0, 1].forEach((ear) => sound.getChannelData(ear).forEach((value, n) => { both[2 * n + ear] = value; }));
        hits.push({ begin_sample: parts.length * length, samples: length, speed_m_per_s: speed,
          at_m: body.pointOf(triangle, place.barycentrics), contact_time_s: contact.contactTime, impulse_n_s: contact.impulse });
        parts.push(both);
      }
    }
    return { samples: joined(parts), json: { body: body.name, rate_hz: this.rate, full_scale_pa: 1 / this.volume, hits } };
  }

  async saveBank() {
    const { samples, json } = await this.renderBank();
    download(`${this.selected.name}-hits.wav`, 'audio/wav', wavFile(samples, 2, this.rate));
    download(`${this.selected.name}-hits.json`, 'application/json', JSON.stringify(json, null, 2));
  }

  // --- drawing ---

  say(text) {
    element('message').textContent = text;
    element('message').hidden = !text;
    if (text) this.problems.push(text);
  }

  frame() {
    requestAnimationFrame(() => this.frame());
    if (this.view) {
      if (this.bent && element('motion').checked)
        this.view.bend(this.bent, this.bending.field, this.bending.scale * Math.sin(performance.now() / 160));
      const background = getComputedStyle(document.documentElement).getPropertyValue('--space').trim();
      if (background !== this.background) this.view.moved = true;
      this.background = background;
      const from = this.view.camera.position.toArray().join();
      if (this.view.draw(background) && from !== this.earsAt) {
        this.earsAt = from;
        this.updateEars();
      }
    }
    this.pictures.draw();
    this.controls.showLevels(this.selected, this.meter);
  }
}

/** A finger on the body: enough to let its strongest modes die within some tens of milliseconds. */
const holdDamper = (body) => 60 * Math.max(body.mass, 0.001);

function extent(body) {
  const { vertices } = body.data;
  let far = 0;
  for (let i = 0; i < vertices.length; i += 3)
    far = Math.max(far, Math.hypot(vertices[i] - body.centre[0], vertices[i + 1] - body.centre[1], vertices[i + 2] - body.centre[2]));
  return 2 * far;
}

function joined(parts) {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const short = (value) => Number(value.toPrecision(3)).toString();
/** Joules in words: 12 µJ. */
function energy(joules) {
  if (!(joules > 1e-15)) return '0 J';
  const step = Math.max(-15, Math.min(0, 3 * Math.floor(Math.log10(joules) / 3)));
  return `${(joules / 10 ** step).toPrecision(3)} ${{ 0: '', '-3': 'm', '-6': 'µ', '-9': 'n', '-12': 'p', '-15': 'f' }[step]}J`;
}

const mass = (kilograms) => kilograms < 1 ? `${short(1000 * kilograms)} g` : `${short(kilograms)} kg`;

/** The strike for a shell. */
function command(body, point, contact, materials) {
  const quoted = (value) => typeof value === 'string' ? value : `'${JSON.stringify(value)}'`;
  const material = body.material ? ` --material ${quoted(materialJson(body.material, materials))}` : '';
  // Of an object of a scene: its saved modes.
  const path = body.file ?? `${body.name}.modes`;
  const what = body.isIdeal ? `--shape ${quoted(shapeJson(body.numbers))}` : /^[\w./-]+$/.test(path) ? path : `'${path}'`;
  const factor = body.size * (body.json.scale ?? 1);
  const scale = factor === 1 ? '' : ` --scale ${Number(factor.toPrecision(9))}`;
  const given = path.endsWith('.modes') && !body.isIdeal ? '' : material;
  const number = (x) => Number(x.toPrecision(6)).toString();
  return `peal strike ${what}${given}${scale} --at ${point.map((x) => number(x * body.size)).join(' ')} ` +
    `--contact-time ${number(contact.contactTime)} --impulse ${number(contact.impulse)}`;
}

const explorer = new Explorer();
window.explorer = explorer; // for tests and for the curious
explorer.start().catch((error) => explorer.say(error.message));
