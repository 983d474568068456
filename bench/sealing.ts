// What sealing costs: MB (10^6 bytes) of scans a second into their seals and out of them, and the memory that a large one takes;
// beside it AES-256-GCM of Node alone over the same bytes, in the same run. Rates are of CPU time, which does not depend on
// what else the machine does; the best by the clock stands beside them.
import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openKeyring } from '../src/sealing/keyring.ts';
import { loadSdk } from '../src/sealing/message.ts';
import type { Binding } from '../src/sealing/sealed-object.ts';
import { makeObjectKey, seal, unseal } from '../src/sealing/sealed-object.ts';
import { median, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const MIB = 1024 * 1024;
const SIZES_MIB = isQuick ? [1, 10] : [1, 10, 100];
const ROUNDS = isQuick ? 3 : 5;
const PIECE_BYTES = 262_144;
const { signal } = new AbortController();
const sdk = await loadSdk();
const piece = randomBytes(PIECE_BYTES);

/** A scan that is made while it is read, so that the memory of the bench is not that of the sealing. */
async function* scan(bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; left -= PIECE_BYTES) {
    yield await Promise.resolve(piece.subarray(0, Math.min(left, PIECE_BYTES)));
  }
}

async function sizeOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const part of bytes) size += part.length;
  return size;
}

async function bindingOf(bytes: number): Promise<{ binding: Binding; key: Buffer }> {
  const hash = createHash('sha256');
  for await (const part of scan(bytes)) hash.update(part);
  const { id, key } = makeObjectKey();
  return { key, binding: { objectKeyId: id, sha256: hash.digest(), sourceId: 'bench' } };
}

/** How far the memory of this process rises over what it was at the start, in MB, while the work is done. */
async function risesBy(idle: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
  const timer = setInterval(look, 5);
  await work();
  clearInterval(timer);
  look();
  return rounded((peak - idle) / 1e6, 0);
}

/** From and to a file, as a store would; first of all, while the process is small. */
async function memory(folder: string, bytes: number): Promise<{ seal_mb: number; unseal_mb: number }> {
  const file = join(folder, 'sealed');
  const { binding, key } = await bindingOf(bytes);
  await sizeOf(seal(scan(MIB), key, binding));
  const idle = process.memoryUsage.rss();
  const sealMb = await risesBy(idle, () =>
    pipeline(seal(scan(bytes), key, binding), createWriteStream(file)),
  );
  const unsealMb = await risesBy(idle, async () => {
    assert.equal(await sizeOf(unseal(sdk, createReadStream(file), key, { binding, signal })), bytes);
  });
  return { seal_mb: sealMb, unseal_mb: unsealMb };
}

class Rates {
  readonly cpu: number[] = [];
  readonly clock: number[] = [];

  async time(bytes: number, work: () => Promise<unknown>): Promise<void> {
    const cpu = process.cpuUsage();
    const start = performance.now();
    await work();
    this.clock.push(bytes / 1e3 / (performance.now() - start));
    const { user, system } = process.cpuUsage(cpu);
    this.cpu.push(bytes / (user + system));
  }

  toJSON(): { cpu_mb_s: number; best_mb_s: number } {
    return { cpu_mb_s: rounded(median(this.cpu), 0), best_mb_s: rounded(Math.max(...this.clock), 0) };
  }
}

async function rates(bytes: number) {
  const [sealing, unsealing, encrypting, decrypting] = [new Rates(), new Rates(), new Rates(), new Rates()];
  const { binding, key } = await bindingOf(bytes);
  let overhead = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await sealing.time(bytes, () => sizeOf(seal(scan(bytes), key, binding)));
    const sealed: Buffer[] = [];
    for await (const part of seal(scan(bytes), key, binding)) sealed.push(part);
    overhead = sealed.reduce((sum, part) => sum + part.length, 0) - bytes;
    const plain = () => unseal(sdk, Readable.from(sealed), key, { binding, signal });
    await unsealing.time(bytes, async () => assert.equal(await sizeOf(plain()), bytes));

    // The least that any encryption costs: one tag over all, so that nothing may be believed before the end.
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const bare: Buffer[] = [];
    await encrypting.time(bytes, async () => {
      for await (const part of scan(bytes)) bare.push(cipher.update(part));
      cipher.final();
    });
    const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(cipher.getAuthTag());
    await decrypting.time(bytes, async () => {
      for await (const part of Readable.from(bare)) decipher.update(part as Buffer);
      decipher.final();
    });
  }
  return {
    seal: sealing,
    unseal: unsealing,
    node_encrypt: encrypting,
    node_decrypt: decrypting,
    overhead_bytes: overhead,
  };
}

/** Milliseconds of CPU to wrap the key of an object by the key file, and to unwrap it. */
async function wrapping(folder: string): Promise<{ wrap_ms: number; unwrap_ms: number }> {
  const keyring = await openKeyring({
    keyFile: join(folder, 'keys.json'),
    kmsKey: undefined,
    recoveryKey: undefined,
  });
  const [wrap, unwrap] = [[] as number[], [] as number[]];
  for (let round = 0; round < 200; round += 1) {
    const { id, key } = makeObjectKey();
    const before = performance.now();
    const wrapped = await keyring.wrap(id, key);
    const between = performance.now();
    await keyring.unwrap({ id, ...wrapped });
    wrap.push(between - before);
    unwrap.push(performance.now() - between);
  }
  return { wrap_ms: rounded(median(wrap), 2), unwrap_ms: rounded(median(unwrap), 2) };
}

const folder = await mkdtemp(join(tmpdir(), 'docket-bench-'));
try {
  const largest = Math.max(...SIZES_MIB);
  const result: Record<string, unknown> = {
    memory_of_mib: largest,
    memory: await memory(folder, largest * MIB),
  };
  for (const size of SIZES_MIB) result[`${size}_mib`] = await rates(size * MIB);
  result['keys'] = await wrapping(folder);
  console.log(JSON.stringify(result));
} finally {
  await rm(folder, { recursive: true, force: true });
}
