import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after } from 'node:test';
import type { Keyring } from '../../src/sealing/keyring.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import type { Place } from '../../src/sealing/place.ts';
import { createScanReader } from '../../src/sealing/scan-reader.ts';
import { makeObjectKey, seal } from '../../src/sealing/sealed-object.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';

export const SOURCE = 'carrier-a';

/** A folder that is removed when the tests of the file are over. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dkt-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A keyring on a key file of its own. */
export async function scratchKeyring(): Promise<Keyring> {
  const keyFile = join(await scratchFolder(), 'object-keys.json');
  return openKeyring({ keyFile, kmsKey: undefined, recoveryKey: undefined });
}

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Bytes in pieces of a size, as a store might hand them out. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

export interface Sealed {
  readonly sealed: Buffer;
  readonly place: Place;
  /** The key of the object. */
  readonly key: Buffer;
}

/** Seals a scan; what comes out lies nowhere yet. */
export async function sealScan(keyring: Keyring, scan: Buffer, sourceId = SOURCE): Promise<Sealed> {
  const { id, key } = makeObjectKey();
  const { keyId, wrapped } = await keyring.wrap(id, key);
  const binding = { objectKeyId: id, sha256: sha256(scan), sourceId };
  const pieces: Buffer[] = [];
  for await (const piece of seal(inPieces(scan, 50_000), key, binding)) pieces.push(piece);
  const place: Place = {
    locator: 'memory:sealed',
    version: null,
    encryption: 'docket',
    sourceId,
    sha256: sha256(scan),
    isForeign: false,
    objectKey: { id, keyId, wrapped, sha256: sha256(scan) },
  };
  return { sealed: Buffer.concat(pieces), place, key };
}

export interface Reading {
  /** All that was handed out. */
  readonly plain: Buffer;
  /** Code of the error that ended it, if one did. */
  readonly code: string | undefined;
  readonly message: string;
}

/** Reads a place whose object consists of these bytes, which the store hands out in pieces of a size. */
export async function readPlace(
  keyring: Keyring,
  place: Place,
  bytes: Buffer,
  pieceBytes = 65_536,
): Promise<Reading> {
  const store = {
    ...createMemoryStore(),
    get: () => Promise.resolve(Readable.from(inPieces(bytes, pieceBytes))),
  };
  const pieces: Buffer[] = [];
  try {
    const { signal } = new AbortController();
    const stream = await createScanReader({ store, keyring }).open(place, { signal });
    for await (const piece of stream) pieces.push(piece as Buffer);
    return { plain: Buffer.concat(pieces), code: undefined, message: '' };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { plain: Buffer.concat(pieces), code: code ?? 'NO CODE', message };
  }
}
