import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { checkpointText } from '../../src/domain/checkpoint.ts';
import { signatureLine } from '../../src/domain/signed-note.ts';
import { verifierKey, type KeyKind, type VerifierKey } from '../../src/domain/verifier-key.ts';

export const root = Buffer.alloc(32, 7);

/** A new key of signed notes, with its private half. */
export function newKey(name: string, kind: KeyKind = 'ed25519'): { privateKey: KeyObject; key: VerifierKey } {
  const pair = generateKeyPairSync('ed25519');
  const raw = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { privateKey: pair.privateKey, key: verifierKey(name, raw, kind) };
}

/** The key of a log, and a checkpoint of it that both verifiers must take. */
export const log = newKey('docket/test');
export const text = checkpointText('docket/test', 5n, root);
export const line = signatureLine(log.key, sign(null, Buffer.from(text), log.privateKey));
export const NOTE = `${text}\n${line}`;

/** The line of a witness that saw the text at a time, in seconds since 1970, and one that states another time than it signed. */
export function witnessed(witness: ReturnType<typeof newKey>, signedAt: bigint, statedAt = signedAt): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(statedAt);
  const seen = sign(
    null,
    Buffer.from(`cosignature/v1\ntime ${String(signedAt)}\n${text}`),
    witness.privateKey,
  );
  return signatureLine(witness.key, Buffer.concat([time, seen]));
}

const sizes = (size: string) => text.replace('\n5\n', `\n${size}\n`);

/** Notes that look odd and are checkpoints all the same. */
export const ODD: readonly (readonly [why: string, note: string])[] = [
  ['the largest size', `${sizes('9223372036854775807')}\n${line}`],
  ['an extension line', `${text}one extension line\n\n${line}`],
  ['a hundred signatures', `${text}\n${line.repeat(100)}`],
  ['characters of many bytes', `${text}日本語 🚢\n\n${line.replace('docket/test', '税関/🚢')}`],
];

/** Notes that both verifiers must refuse. */
export const MALFORMED: readonly (readonly [why: string, note: string])[] = [
  ['leading zero', `${sizes('05')}\n${line}`],
  ['a sign', `${sizes('+5')}\n${line}`],
  ['too large', `${sizes('9223372036854775808')}\n${line}`],
  ['no size', `${sizes('')}\n${line}`],
  ['a root of 31 bytes', `docket/test\n5\n${Buffer.alloc(31).toString('base64')}\n\n${line}`],
  ['other bits in the root', `docket/test\n5\n${root.toString('base64').replace(/.=$/, 'd=')}\n\n${line}`],
  ['no padding', `docket/test\n5\n${root.toString('base64').slice(0, -1)}\n\n${line}`],
  ['no root', `docket/test\n5\n\n${line}`],
  ['an empty extension line', `${text}\nmore\n\n${line}`],
  ['two empty lines', `${text}\n\n${line}`],
  ['no signature', `${text}\n`],
  ['no line break at the end', `${text}\n${line}`.slice(0, -1)],
  ['an empty line at the end', `${text}\n${line}\n`],
  ['a tab', `${text}\n${line}`.replace('docket', 'dock\tet')],
  ['a hyphen for the dash', `${text}\n${line.replace('—', '-')}`],
  ['two spaces', `${text}\n${line.replace('— ', '—  ')}`],
  ['a space that only Unicode knows in a name', `${text}\n${line.replace('t/t', 't\u00a0t')}`],
  ['a plus in a name', `${text}\n${line.replace('docket/test', 'docket+test')}`],
  ['a signature of nothing', `${text}\n— docket/test AAAAAA==\n`],
  ['no base64', `${text}\n— docket/test A*AA\n`],
  ['too many signatures', `${text}\n${line.repeat(101)}`],
  ['too long', `${text}${'x'.repeat(1_048_576)}\n\n${line}`],
];
