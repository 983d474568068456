import { sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readCertificate } from '../../src/evidence/certificates/x509.ts';

/** One element of DER. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content]);
}

/** An object identifier from dotted numbers. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
    return digits;
  });
  return der(0x06, Buffer.from(bytes));
}

export const algorithm = (dotted: string, ...parameters: Buffer[]): Buffer =>
  der(0x30, oid(dotted), ...parameters);
export const attribute = (dotted: string, value: Buffer): Buffer => der(0x30, oid(dotted), der(0x31, value));

const DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';

export interface Crafted {
  /** DER of the certificate that the signature names; it is enclosed unless `certificates` says otherwise. */
  readonly signer: Buffer;
  readonly key: KeyObject;
  readonly digestAlgorithm: Buffer;
  readonly messageDigest: Buffer | null;
  /** The content, to be signed by itself, without any attributes. */
  readonly bareContent?: Buffer;
  readonly signatureAlgorithm: Buffer;
  /** Of node:crypto; null for keys that hash by themselves. */
  readonly hash: string | null;
  readonly signedAttributes?: readonly Buffer[];
  readonly contentType?: string;
  readonly unsignedAttributes?: (signature: Buffer) => readonly Buffer[];
  readonly certificates?: readonly Buffer[];
  readonly revocationLists?: readonly Buffer[];
}

/** A detached CMS signature with whatever in it that openssl would not write. */
export function craftCms(given: Crafted): Buffer {
  const { signer, digestAlgorithm, signatureAlgorithm, messageDigest, unsignedAttributes } = given;
  const named = readCertificate(signer)!;
  const attributes = [
    attribute(CONTENT_TYPE, oid(given.contentType ?? DATA)),
    ...(messageDigest ? [attribute(MESSAGE_DIGEST, der(0x04, messageDigest))] : []),
    ...(given.signedAttributes ?? []),
  ];
  const signature = sign(given.hash, given.bareContent ?? der(0x31, ...attributes), given.key);
  const lists = given.revocationLists ?? [];
  const info = der(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x30, named.issuerName, der(0x02, named.serial)),
    digestAlgorithm,
    ...(given.bareContent ? [] : [der(0xa0, ...attributes)]),
    signatureAlgorithm,
    der(0x04, signature),
    ...(unsignedAttributes ? [der(0xa1, ...unsignedAttributes(signature))] : []),
  );
  const signed = der(
    0x30,
    der(0x02, Buffer.from([1])),
    der(0x31, digestAlgorithm),
    der(0x30, oid(DATA)),
    der(0xa0, ...(given.certificates ?? [signer])),
    ...(lists.length > 0 ? [der(0xa1, ...lists)] : []),
    der(0x31, info),
  );
  return der(0x30, oid('1.2.840.113549.1.7.2'), der(0xa0, signed));
}
