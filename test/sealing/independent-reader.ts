// Opens a sealed object by the published format alone, without the SDK: what the tests compare the SDK with.
// https://docs.aws.amazon.com/encryption-sdk/latest/developer-guide/message-format.html, format version 2, suite 0x0478
import { createDecipheriv, hkdfSync } from 'node:crypto';

export interface Opened {
  readonly context: Record<string, string>;
  readonly plaintext: Buffer;
  /** Where each frame begins, and after the last one the end. */
  readonly edges: readonly number[];
  readonly headerBytes: number;
}

const TAG = 16;
const IV = 12;

/** Opens a message whose only data key is wrapped by AES-GCM under this key. Throws if any tag is wrong. */
export function openMessage(message: Buffer, wrappingKey: Buffer): Opened {
  let at = 0;
  const take = (bytes: number): Buffer => message.subarray(at, (at += bytes));
  const takeSized = (): Buffer => take(take(2).readUInt16BE());
  if (take(1)[0] !== 2) throw new Error('not version 2');
  const suite = take(2);
  const messageId = take(32);
  const aad = takeSized();
  if (take(2).readUInt16BE() !== 1) throw new Error('more than one data key');
  takeSized();
  const providerInfo = takeSized();
  const wrapped = takeSized();
  take(1);
  const frameBytes = take(4).readUInt32BE();
  const commitment = take(32);
  const header = message.subarray(0, at);

  const iv = providerInfo.subarray(-IV);
  const dataKey = gcm(wrappingKey, iv, wrapped.subarray(0, -TAG), wrapped.subarray(-TAG), aad);
  const derived = derive(dataKey, messageId, Buffer.concat([suite, Buffer.from('DERIVEKEY')]));
  if (!derive(dataKey, messageId, Buffer.from('COMMITKEY')).equals(commitment))
    throw new Error('no commitment');
  gcm(derived, Buffer.alloc(IV), Buffer.alloc(0), take(TAG), header);
  const headerBytes = at;

  const frames: Buffer[] = [];
  const edges = [at];
  for (let isLast = false; !isLast; edges.push(at)) {
    const first = take(4);
    isLast = first.readUInt32BE() === 0xffff_ffff;
    const number = isLast ? take(4) : first;
    const frameIv = take(IV);
    const length = isLast ? take(4).readUInt32BE() : frameBytes;
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(length));
    const name = `AWSKMSEncryptionClient ${isLast ? 'Final Frame' : 'Frame'}`;
    const frameAad = Buffer.concat([messageId, Buffer.from(name), number, size]);
    const content = take(length);
    frames.push(gcm(derived, frameIv, content, take(TAG), frameAad));
  }
  if (at !== message.length) throw new Error('bytes behind the end');
  return { context: readContext(aad), plaintext: Buffer.concat(frames), edges, headerBytes };
}

function derive(dataKey: Buffer, salt: Buffer, info: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha512', dataKey, salt, info, 32));
}

function gcm(key: Buffer, iv: Buffer, content: Buffer, tag: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(aad).setAuthTag(tag);
  return Buffer.concat([decipher.update(content), decipher.final()]);
}

function readContext(aad: Buffer): Record<string, string> {
  const context: Record<string, string> = {};
  let at = 2;
  const takeText = (): string => {
    const length = aad.readUInt16BE(at);
    at += 2 + length;
    return aad.toString('utf8', at - length, at);
  };
  while (at < aad.length) {
    const name = takeText();
    context[name] = takeText();
  }
  return context;
}
