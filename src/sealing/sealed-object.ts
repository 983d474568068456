import type { NodeMaterialsManager } from '@aws-crypto/client-node';
import { randomFillSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { DocketError } from '../errors.ts';
import { decipher } from './deciphering.ts';
import { damaged } from './framing.ts';
import type { Context, Sdk } from './message.ts';
import { encryptingStream, FRAME_BYTES, loadSdk } from './message.ts';

/** Namespace of object keys in the header of a sealed object. */
const NAMESPACE = 'docket.object_key';
const PURPOSE = 'evidence';

/** What a sealed object is bound to. */
export interface Binding {
  readonly objectKeyId: string;
  /** SHA-256 of the scan. */
  readonly sha256: Buffer;
  readonly sourceId: string;
}

/** A key for one object, 32 random bytes in memory of their own, so that they can be erased. */
export function makeObjectKey(): { id: string; key: Buffer } {
  return { id: randomUUID(), key: randomFillSync(Buffer.alloc(32)) };
}

/** Seals a scan: the bytes of a message that opens with the object key, and under that binding only. Errors are those of `bytes`. */
export async function* seal(
  bytes: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  binding: Binding,
): AsyncGenerator<Buffer> {
  const sdk = await loadSdk();
  const message = encryptingStream(sdk, keyringOf(sdk, binding.objectKeyId, key), contextOf(binding));
  const sealed = new PassThrough({ highWaterMark: FRAME_BYTES });
  message.on('error', (error) => sealed.destroy(error)).pipe(sealed);
  void feed(bytes, message, sealed);
  yield* sealed as AsyncIterable<Buffer>;
}

/**
 * Writes the scan into the message while the sealed bytes are wanted. The message is never destroyed: of the SDK's streams one
 * that closes before its end throws where nobody can catch it. One that is left alone is only forgotten.
 */
async function feed(bytes: AsyncIterable<Uint8Array>, message: Writable, sealed: Duplex): Promise<void> {
  const over = new AbortController();
  sealed.once('close', () => over.abort());
  try {
    for await (const piece of bytes) {
      over.signal.throwIfAborted();
      if (!message.write(piece)) await once(message, 'drain', { signal: over.signal });
    }
    message.end();
  } catch (error) {
    sealed.destroy(error as Error);
  }
}

/** Opens a sealed object: its plaintext, if it opens with the key and is bound as stated. Errors: OBJECT_SWAPPED and as `decipher`. */
export function unseal(
  sdk: Sdk,
  sealed: Readable,
  key: Uint8Array,
  { binding, signal }: { binding: Binding; signal: AbortSignal },
): Readable {
  const expected = contextOf(binding);
  const accept = (context: Context) => {
    const other = Object.keys(expected).filter((name) => context[name] !== expected[name]);
    if (other.length > 0) throw swapped(`the object was sealed for another ${other.join(', ')}`);
  };
  const inner = new sdk.NodeDefaultCryptographicMaterialsManager(keyringOf(sdk, binding.objectKeyId, key));
  const manager: NodeMaterialsManager = {
    getEncryptionMaterials: (request) => inner.getEncryptionMaterials(request),
    decryptMaterials(request) {
      const [wrapped, ...others] = request.encryptedDataKeys;
      if (wrapped?.providerId !== NAMESPACE || others.length > 0)
        throw damaged('the object bears no object key');
      const named = request.encryptionContext['object_key_id'];
      // Not yet authenticated, and cannot be with another key; but it agrees with itself, so it is taken for what it says.
      if (named !== undefined && named !== binding.objectKeyId && wrapped.providerInfo.startsWith(named)) {
        throw swapped('the object was sealed by the key of another object');
      }
      return inner.decryptMaterials(request);
    },
  };
  return decipher(sdk, sealed, { manager, accept, signal });
}

function contextOf({ objectKeyId, sha256, sourceId }: Binding): Context {
  return { object_key_id: objectKeyId, sha256: sha256.toString('hex'), source: sourceId, purpose: PURPOSE };
}

function keyringOf(sdk: Sdk, objectKeyId: string, key: Uint8Array) {
  return new sdk.RawAesKeyringNode({
    keyNamespace: NAMESPACE,
    keyName: objectKeyId,
    // The SDK wants memory that nothing else lies in.
    unencryptedMasterKey: Uint8Array.from(key),
    wrappingSuite: sdk.RawAesWrappingSuiteIdentifier.AES256_GCM_IV12_TAG16_NO_PADDING,
  });
}

function swapped(problem: string): DocketError {
  return new DocketError('OBJECT_SWAPPED', problem);
}
