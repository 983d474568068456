import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { testConformance } from './conformance.ts';

testConformance('memory', 'memory:', () => Promise.resolve(createMemoryStore()));

const store = createMemoryStore();
const content = randomBytes(300_000);
const stored = await store.put(
  (async function* () {
    yield await Promise.resolve(content);
  })(),
);

async function opened(control = new AbortController()) {
  return { control, stream: await store.get(stored, { signal: control.signal }) };
}

test('an object in memory is the same to whoever pipes it and to whoever loops over it', async () => {
  const piped = new PassThrough({ highWaterMark: 1_000_000 });
  await pipeline((await opened()).stream, piped);
  assert.ok(content.equals(piped.read() as Buffer));
  const { stream } = await opened();
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  assert.ok(content.equals(Buffer.concat(pieces)));
  assert.ok(stream.destroyed);
});

test('a pipe from an object in memory ends with the reason of the abort', async () => {
  const { control, stream } = await opened();
  const reason = new Error('stop');
  control.abort(reason);
  await assert.rejects(pipeline(stream, new PassThrough()), (error) => error === reason);
});

test('a loop over an object in memory ends with an error when somebody closes the stream', async () => {
  for (const failure of [undefined, new Error('no more')]) {
    const { stream } = await opened();
    stream.on('error', () => undefined);
    const looping = (async () => {
      for await (const piece of stream) {
        assert.ok((piece as Buffer).length < content.length);
        stream.destroy(failure);
      }
    })();
    await assert.rejects(looping, failure ? (error) => error === failure : /closed before its end/);
  }
});
