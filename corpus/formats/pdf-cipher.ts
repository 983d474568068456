import { createCipheriv, createHash } from 'node:crypto';
import type { Random } from '../random.ts';

/** What a PDF writer needs to protect a document: its encryption dictionary, and how to encrypt a string or stream. */
export interface PdfCipher {
  dictionary: string;
  encrypt(plain: Buffer): Buffer;
}

/**
 * Protection of ISO 32000-2 (revision 6, AES-256) that asks for a password to open. Every "random" byte comes from the
 * seeded source, which is right for a test document and for nothing else.
 */
export function createPdfCipher(userPassword: string, ownerPassword: string, random: Random): PdfCipher {
  const bytes = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => random.int(0, 255)));
  const fileKey = bytes(32);
  const wrap = (key: Buffer): Buffer => aes('aes-256-cbc', key, Buffer.alloc(16), fileKey, false);
  const entry = (password: Buffer, user: Buffer): [check: Buffer, wrappedKey: Buffer] => {
    const [validation, keySalt] = [bytes(8), bytes(8)];
    const check = Buffer.concat([hash(password, validation, user), validation, keySalt]);
    return [check, wrap(hash(password, keySalt, user))];
  };
  const [u, ue] = entry(Buffer.from(userPassword), Buffer.alloc(0));
  const [o, oe] = entry(Buffer.from(ownerPassword), u);
  const permissions = -3904;
  const perms = Buffer.alloc(16);
  perms.writeInt32LE(permissions, 0);
  perms.fill(0xff, 4, 8);
  perms.write('Tadb', 8, 'latin1');
  bytes(4).copy(perms, 12);
  const sealed = aes('aes-256-ecb', fileKey, null, perms, false);
  const hex = (value: Buffer): string => `<${value.toString('hex')}>`;
  return {
    dictionary:
      `/Filter /Standard /V 5 /R 6 /Length 256 /P ${permissions} /U ${hex(u)} /UE ${hex(ue)} /O ${hex(o)} /OE ${hex(oe)} /Perms ${hex(sealed)} ` +
      '/EncryptMetadata true /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF',
    encrypt(plain) {
      const iv = bytes(16);
      return Buffer.concat([iv, aes('aes-256-cbc', fileKey, iv, plain, true)]);
    },
  };
}

function aes(algorithm: string, key: Buffer, iv: Buffer | null, plain: Buffer, padding: boolean): Buffer {
  const cipher = createCipheriv(algorithm, key, iv).setAutoPadding(padding);
  return Buffer.concat([cipher.update(plain), cipher.final()]);
}

/** The hardened hash of revision 6: at least 64 rounds of AES and a SHA-2 that the data itself chooses. */
function hash(password: Buffer, salt: Buffer, user: Buffer): Buffer {
  let key = createHash('sha256').update(password).update(salt).update(user).digest();
  for (let round = 0; ; round++) {
    const block = Buffer.concat([password, key, user]);
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => block));
    const mixed = aes('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32), repeated, false);
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(['sha256', 'sha384', 'sha512'][remainder]!).update(mixed).digest();
    if (round >= 63 && mixed.at(-1)! <= round - 31) return key.subarray(0, 32);
  }
}
