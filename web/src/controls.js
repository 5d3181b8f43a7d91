// The controls beside the bodies, pointers and keys.

import { dimensionsOf } from './ideal.js';

const element = (id) => document.getElementById(id);
const short = (value) => Number(value.toPrecision(3)).toString();

const constants = [
  ['density', 'Density [kg/m³]'], ['young_modulus', 'Young’s modulus [Pa]'],
  ['poisson_ratio', 'Poisson’s ratio'], ['internal_friction', 'Loss factor'],
];
const mallets = [[6, 'felt'], [7.2, 'rubber'], [8.6, 'cork'], [9.7, 'plastic'], [10.4, 'wood'], [12, 'steel']];

export class Controls {
  constructor(explorer) {
    this.explorer = explorer;
    this.rows = [];
  }

  connect() {
    const { explorer } = this;
    this.listBodies();
    for (const material of explorer.session.materials) element('material').add(new Option(material.name));
    const on = (id, kind, work) => element(id).addEventListener(kind, work);
    on('body', 'change', () => explorer.select(explorer.bodies[Number(element('body').value)]));
    on('strike', 'click', () => this.strikeAgain());
    on('next', 'click', () => explorer.otherPlace(explorer.selected));
    for (const id of ['hardness', 'strength', 'roughness']) on(id, 'input', () => this.showMallet());
    on('material', 'change', () => this.chooseMaterial());
    on('damping', 'input', () => {
      explorer.selected.dampingFactor = 10 ** Number(element('damping').value);
      explorer.changed(explorer.selected);
    });
    on('again', 'click', () => explorer.solveAgain());
    on('volume', 'input', () => explorer.sendVolume());
    on('binaural', 'change', () => explorer.updateEars());
    for (const [id, kind] of [['room', 'change'], ['room-volume', 'input'], ['room-time', 'input']]) on(id, kind, () => this.showRoom());
    on('record', 'click', () => explorer.toggleRecording());
    on('bank', 'click', () => explorer.saveBank());
    on('save-modes', 'click', () => explorer.save(`body-${explorer.selected.id}.modes`, `${explorer.selected.name}.modes`));
    on('save-page', 'click', () => explorer.save('explorer.html', 'explorer.html'));
    element('save-page').hidden = !explorer.session.served;
    on('midi', 'click', () => this.connectMidi());
    on('file', 'change', () => element('file').files[0] && explorer.drop(element('file').files[0]));
    on('all', 'click', () => this.hearAll());
    on('map', 'change', () => explorer.showColours());
    on('motion', 'change', () => explorer.showColours());
    on('metronome', 'change', () => this.beat());
    this.connectPointers(element('canvas'));
    this.connectKeys();
    this.connectDrop();
    this.showMallet();
    this.showRoom();
    this.showBody(explorer.selected);
    if (explorer.view) {
      new ResizeObserver(() => explorer.view.resize()).observe(element('view'));
      explorer.view.resize();
    }
  }

  showRoom() {
    const volume = 10 ** Number(element('room-volume').value), time = 10 ** Number(element('room-time').value);
    element('room-volume-text').textContent = `${short(volume)} m³`;
    element('room-time-text').textContent = `${short(time)} s`;
    this.explorer.audio.send(this.explorer.room());
  }

  listBodies() {
    const list = element('body');
    list.replaceChildren();
    for (const body of this.explorer.bodies)
      if (body.sounds) list.add(new Option(body.name, body.id));
    if (this.explorer.selected) list.value = this.explorer.selected.id;
  }

  strikeAgain(speed) {
    const place = this.explorer.places.get(this.explorer.selected.id);
    if (place) return this.explorer.strike(place, { speed });
    return null;
  }

  hearAll() {
    const body = this.explorer.selected;
    body.isolated = null;
    body.muted.clear();
    this.explorer.setHeard(body);
  }

  connectPointers(canvas) {
    const { explorer } = this;
    if (!explorer.view) return;
    const hit = (event) => explorer.view.pick(event.clientX, event.clientY);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.focus();
      const found = hit(event);
      if (found) explorer.press(event, found);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (explorer.touches.has(event.pointerId)) explorer.drag(event, hit(event));
    });
    for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, (event) => explorer.release(event));
  }

  connectKeys() {
    const { explorer } = this;
    const step = (by) => {
      const list = explorer.bodies.filter((body) => body.sounds);
      const at = list.indexOf(explorer.selected);
      explorer.select(list[(at + by + list.length) % list.length]);
      this.strikeAgain();
    };
    const turn = (horizontal, vertical) => {
      const { controls, camera } = explorer.view;
      const way = camera.position.clone().sub(controls.target);
      const up = Math.min(Math.max(Math.acos(way.y / way.length()) - vertical, 0.05), 3.09);
      const around = Math.atan2(way.x, way.z) + horizontal;
      way.setFromSphericalCoords(way.length(), up, around);
      camera.position.copy(controls.target).add(way);
      controls.update();
    };
    const keys = {
      ' ': () => this.strikeAgain(), n: () => explorer.otherPlace(explorer.selected), r: () => explorer.toggleRecording(),
      ',': () => step(-1), '.': () => step(1), Escape: () => (explorer.job === null ? this.hearAll() : explorer.cancelSolving()),
      ArrowLeft: () => turn(-0.1, 0), ArrowRight: () => turn(0.1, 0), ArrowUp: () => turn(0, 0.1), ArrowDown: () => turn(0, -0.1),
    };
    addEventListener('keydown', (event) => {
      const inControl = event.target.closest('input, select, button, summary');
      if (event.ctrlKey || event.metaKey || event.altKey || (inControl && event.key !== 'Escape')) return;
      const work = keys[event.key];
      if (!work || (event.key.startsWith('Arrow') && !explorer.view)) return;
      event.preventDefault();
      if (!event.repeat || event.key.startsWith('Arrow')) work();
    });
  }

  connectDrop() {
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.explorer.drop(event.dataTransfer.files[0]);
    });
  }

  /** Notes strike bodies in turn, or points of the only one; velocity is strength. */
  async connectMidi() {
    const { explorer } = this;
    if (!navigator.requestMIDIAccess) return explorer.say('This browser has no MIDI.');
    try {
      const access = await navigator.requestMIDIAccess();
      const play = ({ data: [status, note, velocity] }) => {
        if ((status & 0xf0) !== 0x90 || velocity === 0) return;
        const list = explorer.bodies.filter((body) => body.sounds);
        explorer.select(list[note % list.length]);
        this.strikeAgain(4 * (velocity / 127) ** 2);
      };
      for (const input of access.inputs.values()) input.onmidimessage = play;
      element('midi').textContent = `MIDI: ${access.inputs.size} inputs`;
    } catch {
      explorer.say('MIDI was refused.');
    }
    return null;
  }

  /** Strikes at even times of the audio clock, asked for 100 ms ahead. */
  beat() {
    const { explorer } = this;
    clearInterval(this.beats);
    if (!element('metronome').checked) return;
    let next = explorer.audio.context.currentTime + 0.05;
    this.beats = setInterval(() => {
      const now = explorer.audio.context.currentTime;
      if (next < now) next = now;
      while (next < now + 0.1) {
        const place = explorer.places.get(explorer.selected.id);
        explorer.strike(place, { at: next });
        next += Math.max(0.05, Number(element('beat').value) || 0.5);
      }
    }, 25);
  }

  chooseMaterial() {
    const { explorer } = this;
    const body = explorer.selected;
    const found = explorer.session.materials.find(({ name }) => name === element('material').value);
    if (!found) return;
    body.material = structuredClone(found);
    this.applyMaterial(body);
  }

  applyMaterial(body) {
    this.showMaterial(body);
    if (body.isIdeal) return this.explorer.resolve(body);
    this.explorer.changed(body);
    return this.explorer.solveSoon(body);
  }

  show(body) {
    element('body').value = body.id;
    this.showBody(body);
  }

  showBody(body) {
    if (!body) return;
    this.showMaterial(body);
    this.showDimensions(body);
    this.showModes(body);
    this.showState(body);
    this.showMallet();
  }

  showState(body) {
    const ofLevels = !body.isIdeal && body.ratio !== 1;
    element('approximate').hidden = !body.isApproximate() && !ofLevels;
    element('approximate-text').textContent = body.isApproximate()
      ? 'Poisson’s ratio differs, so the frequencies are approximate.'
      : 'Levels assume that each mode radiates as efficiently as before.';
    element('again').hidden = !this.explorer.session.served;
    element('save-modes').hidden = body.isIdeal || !this.explorer.session.served;
    element('damping').value = Math.log10(body.dampingFactor);
    element('damping-text').textContent = `× ${short(body.dampingFactor)}`;
  }

  showMallet() {
    const body = this.explorer.selected;
    const hardness = Number(element('hardness').value);
    const strength = 10 ** Number(element('strength').value);
    const name = mallets.find(([most]) => hardness < most)[1];
    const contact = body ? this.explorer.contact(body) : null;
    element('hardness-text').textContent = contact ? `${name}, ${short(1000 * contact.contactTime)} ms` : name;
    element('strength-text').textContent = `${short(strength)} m/s`;
    element('roughness-text').textContent = `${short(10 ** Number(element('roughness').value))} µm`;
  }

  showMaterial(body) {
    element('material').disabled = !body.material;
    const list = element('material');
    const name = body.material?.name ?? '';
    if (![...list.options].some((option) => option.value === name)) list.add(new Option(name || 'own numbers', name));
    list.value = name;
    const place = element('constants');
    place.replaceChildren();
    if (!body.material) return;
    for (const [key, text] of constants) {
      const input = this.numberInput(text, key === 'internal_friction' ? body.material.damping[key] : body.material[key]);
      input.addEventListener('change', () => {
        const value = Number(input.value);
        const largest = key === 'poisson_ratio' ? 0.499 : Infinity;
        if (!(value > 0) || value > largest) return this.showMaterial(body);
        body.material = structuredClone(body.material);
        body.material.name = '';
        (key === 'internal_friction' ? body.material.damping : body.material)[key] = value;
        return this.applyMaterial(body);
      });
      place.append(input.parentElement);
    }
  }

  numberInput(text, value) {
    const label = document.createElement('label');
    const input = document.createElement('input');
    input.type = 'number';
    input.step = 'any';
    input.value = Number(value.toPrecision(6));
    label.append(text, input);
    return input;
  }

  showDimensions(body) {
    const place = element('dimensions');
    place.replaceChildren();
    if (!body.isIdeal) {
      const input = this.numberInput('Size, times', body.size);
      input.addEventListener('change', () => {
        const value = Number(input.value);
        if (!(value >= 0.01 && value <= 100)) return this.showDimensions(body);
        body.size = value;
        return this.explorer.changed(body);
      });
      place.append(input.parentElement);
      return;
    }
    for (const [index, text, choices] of dimensionsOf(body.numbers)) {
      const input = choices ? this.choice(text, choices, body.numbers[index]) : this.numberInput(text, body.numbers[index]);
      input.addEventListener('change', () => {
        const value = Number(input.value);
        if (!choices && !(value > 0)) return this.showDimensions(body);
        body.numbers[index] = value;
        return this.explorer.resolve(body);
      });
      place.append(input.parentElement);
    }
  }

  choice(text, choices, value) {
    const label = document.createElement('label');
    const select = document.createElement('select');
    choices.forEach((name, i) => select.add(new Option(name, i)));
    select.value = value;
    label.append(text, select);
    return select;
  }

  showModes(body) {
    const table = element('modes').querySelector('tbody');
    table.replaceChildren();
    this.rows = body.frequencies.map((frequency, i) => {
      const row = table.insertRow();
      const button = document.createElement('button');
      button.textContent = i + 1;
      button.setAttribute('aria-label', `Isolate mode ${i + 1}, ${short(frequency)} Hz`);
      button.addEventListener('click', () => this.explorer.isolate(body, i));
      row.insertCell().append(button);
      row.insertCell().textContent = frequency < 10000 ? frequency.toFixed(1) : frequency.toFixed(0);
      row.insertCell().textContent = body.decays[i] > 0 ? `${short(6.908 / body.decays[i])} s` : '∞';
      const bar = document.createElement('span');
      bar.className = 'bar';
      bar.append(document.createElement('i'));
      row.insertCell().append(bar);
      const mute = document.createElement('input');
      mute.type = 'checkbox';
      mute.setAttribute('aria-label', `Mute mode ${i + 1}`);
      mute.addEventListener('change', () => {
        if (mute.checked) body.muted.add(i);
        else body.muted.delete(i);
        this.explorer.setHeard(body);
      });
      row.insertCell().append(mute);
      return { row, button, mute, bar: bar.firstChild, width: '' };
    });
    this.shown = body;
    this.showMutes(body);
  }

  showMutes(body) {
    if (this.shown !== body) return;
    this.rows.forEach(({ row, button, mute }, i) => {
      row.className = body.isHeard(i) ? '' : 'muted';
      button.setAttribute('aria-pressed', String(body.isolated === i));
      mute.checked = body.muted.has(i);
    });
  }

  /** Bars over 60 dB below the loudest mode of the last seconds, and the line of facts. */
  showLevels(body, meter) {
    if (!body || !meter || meter.body !== body.id || this.shown !== body || meter === this.metered) return;
    if (this.rows.length !== body.modes) return; // its modes have just been computed again, and are not listed yet
    this.metered = meter;
    const levels = this.rows.map((_, i) => meter.amplitudes[i] * Math.hypot(...body.loudness[i]));
    this.loudest = Math.max(...levels, (this.loudest ?? 0) * 0.98, 1e-12);
    this.rows.forEach((row, i) => {
      const part = Math.max(0, 1 + (20 * Math.log10(levels[i] / this.loudest + 1e-12)) / 60);
      const width = `${Math.round(100 * part)}%`;
      if (width !== row.width) row.bar.style.width = row.width = width;
    });
    const { audio } = this.explorer;
    const underruns = audio.underruns();
    const { onsets } = this.explorer;
    const onset = onsets.length === 0 ? '' : `onset ${(1000 * onsets.at(-1)).toFixed(1)} ms (worst ${(1000 * Math.max(...onsets)).toFixed(1)}) + `;
    const state = audio.context.state === 'running' ? `${onset}device ${Math.round(1000 * audio.latency())} ms` : 'click to start the sound';
    const dropped = underruns === null ? '' : `, ${underruns} drop-outs`;
    const text = `${state}${dropped}`;
    if (element('status').textContent !== text) element('status').textContent = text;
  }
}
