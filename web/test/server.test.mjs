// The server of `peal explore`, by sockets.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { serve } from './explorer.mjs';

const scene = new URL('../../scenes/1998-shapes/circular-plate/scene.json', import.meta.url).pathname;
let server, host, token;
const ownFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('peal-explore-'));
const foldersBefore = ownFolders();

before(async () => {
  server = await serve(scene);
  [, host, token] = server.address.match(/^http:\/\/([\d.:]+)\/#([0-9a-f]{32})$/);
});
after(async () => {
  assert.equal(await server.stop(), 0);
  assert.deepEqual(ownFolders(), foldersBefore, 'the private folder is removed');
});

/** What the server answers to these bytes, until it closes the connection. */
function ask(bytes, { port = Number(host.split(':')[1]) } = {}) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => { answer += part; });
    socket.on('error', (error) => (error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error)));
    socket.on('close', () => resolve(answer));
    socket.end(bytes, 'latin1');
  });
}

const status = (answer) => Number(answer.split(' ')[1]);
const get = (path, headers = '') => ask(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`);

test('the page is there, and may load nothing from elsewhere', async () => {
  const answer = await get('/');
  assert.equal(status(answer), 200);
  assert.match(answer, /<title>Peal: Sonic Explorer<\/title>/);
  assert.match(answer, /content-security-policy: default-src 'none'/i);
  assert.match(answer, /nosniff/);
});

test('bodies need the token', async () => {
  assert.equal(status(await get('/session.json')), 403);
  assert.equal(status(await get(`/session.json?token=${token.slice(0, 31)}0x`)), 403);
  assert.equal(status(await get(`/body-0.peal-body?token=${'0'.repeat(32)}`)), 403);
  assert.equal(status(await get(`/session.json?token=${token}`)), 200);
  assert.equal(status(await get(`/body-0.peal-body?token=${token}`)), 200);
  for (const path of ['/explorer.html', '/body-0.modes']) assert.equal(status(await get(path)), 403, path);
  assert.match(await get(`/explorer.html?token=${token}`), /^HTTP\/1\.1 200 /);
  assert.equal(status(await get(`/body-0.modes?token=${token}`)), 404, 'an ideal shape has no file of modes');
});

test('no other path exists', async () => {
  for (const path of ['/../../etc/passwd', '/%2e%2e/etc/passwd', '//etc/passwd', '/body-1.peal-body', '/body--1.peal-body',
    '/body-.peal-body', '/.peal-body', '/body-99999999999999999999.peal-body', '/manifest.json', '/index.html%00.txt', '/api/solve'])
    assert.equal(status(await get(`${path}?token=${token}`)), 404, path);
});

test('other hosts, origins and encodings are refused', async () => {
  assert.equal(status(await ask(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`)), 421);
  assert.equal(status(await get('/', 'Origin: http://peal.example\r\n')), 403);
  const post = (headers) => ask(`POST /api/solve?token=${token}&name=a.obj HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`);
  assert.equal(status(await post('Content-Length: 0\r\n')), 403);
  const own = `Origin: http://${host}\r\n`;
  assert.equal(status(await post(`${own}Transfer-Encoding: chunked\r\n`)), 501);
  assert.equal(status(await post(`${own}Content-Length: 99999999999\r\n`)), 413);
  assert.equal(status(await post(own)), 411);
  assert.equal(status(await get('/', `X: ${'a'.repeat(40000)}\r\n`)), 431);
});

test('only kinds of meshes are taken', async () => {
  for (const name of ['a.txt', 'a.gltf', 'a', '..%2F..%2Fa.json'])
    assert.equal(status(await ask(`POST /api/solve?token=${token}&name=${name} HTTP/1.1\r\nHost: ${host}\r\n` +
      `Origin: http://${host}\r\nContent-Length: 1\r\n\r\nx`)), 400, name);
});

test('idle connections do not keep others out', async () => {
  const port = Number(host.split(':')[1]);
  const idle = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.on('connect', resolve))));
  const begin = performance.now();
  assert.equal(status(await get('/')), 200);
  assert.ok(performance.now() - begin < 2000);
  for (const socket of idle) socket.destroy();
});

test('damaged requests are answered, and the server goes on', async () => {
  let bits = 1;
  const random = (below) => (bits = (bits * 48271) % 2147483647) % below;
  for (let round = 0; round < 150; ++round) {
    const request = [...`GET /session.json?token=${token} HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`];
    for (let i = 0; i <= random(5); ++i) request[random(request.length)] = String.fromCharCode(random(256));
    const answer = await ask(request.join(''));
    assert.match(answer, /^$|^HTTP\/1\.1 (200|4\d\d|5\d\d) /);
  }
  assert.equal(status(await get('/')), 200);
});
