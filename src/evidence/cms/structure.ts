import {
  listElements,
  context,
  readElement,
  readElements,
  readOctets,
  readOid,
  TAG,
  walkElements,
} from '../asn1/asn1.ts';
import type { Element } from '../asn1/asn1.ts';
import { DocketError } from '../../errors.ts';

/** SignedData of RFC 5652, read and not yet believed. */
export interface SignedData {
  /** Kind of what is signed, as an object identifier. */
  readonly contentType: string;
  /** What is signed, where it is enclosed; null: it lies beside. */
  readonly enclosed: Buffer | null;
  readonly certificates: readonly Buffer[];
  readonly revocationLists: readonly Buffer[];
  readonly signers: readonly SignerInfo[];
}

/** One signature. */
export interface SignerInfo {
  /** Which certificate the signature names, by issuer and number or by key id: nothing that is signed. */
  readonly names: { readonly issuerName: Buffer; readonly serial: Buffer } | { readonly keyId: Buffer };
  readonly digestAlgorithm: Element;
  readonly signedAttributes: SignedAttributes | null;
  readonly signatureAlgorithm: Element;
  readonly signature: Buffer;
  readonly unsignedAttributes: Attributes;
}

/** Values by object identifier. */
export type Attributes = ReadonlyMap<string, readonly Element[]>;

export interface SignedAttributes {
  /** The bytes that are signed in place of the content. */
  readonly bytes: Buffer;
  readonly values: Attributes;
}

export const SIGNED_DATA = '1.2.840.113549.1.7.2';
export const DATA = '1.2.840.113549.1.7.1';

const CONSTRUCTED_OCTETS = 0x24;
const KEY_ID = 0x80;

/** Reads a ContentInfo that holds SignedData; zero bytes may follow, as they do in a PDF. Throws CORRUPT_ENVELOPE. */
export function readSignedData(der: Buffer): SignedData {
  const whole = readElement(der);
  if (der.subarray(whole.bytes.length).some((byte) => byte !== 0)) throw unreadable();
  const info = readElements(whole);
  if (readOid(info.take(TAG.oid)) !== SIGNED_DATA) throw unreadable();
  const fields = readElements(readElements(info.take(context(0))).take(TAG.sequence));
  fields.take(TAG.integer);
  fields.take(TAG.set);
  const content = readElements(fields.take(TAG.sequence));
  const contentType = readOid(content.take(TAG.oid));
  const enclosed = content.takeIf(context(0));
  const certificates = fields.takeIf(context(0));
  const lists = fields.takeIf(context(1));
  return {
    contentType,
    enclosed: enclosed ? readOctets(readElements(enclosed).take(TAG.octetString, CONSTRUCTED_OCTETS)) : null,
    certificates: certificates ? sequencesIn(certificates) : [],
    revocationLists: lists ? sequencesIn(lists) : [],
    signers: listElements(fields.take(TAG.set)).map(readSigner),
  };
}

/** Other kinds of certificates and lists are tagged, and passed over. */
function sequencesIn(set: Element): Buffer[] {
  return listElements(set)
    .filter(({ tag }) => tag === TAG.sequence)
    .map(({ bytes }) => bytes);
}

function readSigner(element: Element): SignerInfo {
  const fields = readElements(element);
  fields.take(TAG.integer);
  const names = readNames(fields.take(TAG.sequence, KEY_ID));
  const digestAlgorithm = fields.take(TAG.sequence);
  const signed = fields.takeIf(context(0));
  const signatureAlgorithm = fields.take(TAG.sequence);
  const signature = readOctets(fields.take(TAG.octetString, CONSTRUCTED_OCTETS));
  const unsigned = fields.takeIf(context(1));
  return {
    names,
    digestAlgorithm,
    signedAttributes: signed ? { bytes: asSet(signed), values: readAttributes(signed) } : null,
    signatureAlgorithm,
    signature,
    unsignedAttributes: unsigned ? readAttributes(unsigned) : new Map<string, Element[]>(),
  };
}

function readNames(element: Element): SignerInfo['names'] {
  if (element.tag === KEY_ID) return { keyId: element.content };
  const fields = readElements(element);
  return { issuerName: fields.take(TAG.sequence).bytes, serial: fields.take(TAG.integer).content };
}

/** The attributes are signed under the tag of a set, and delivered under one of the context. */
function asSet({ bytes }: Element): Buffer {
  const set = Buffer.from(bytes);
  set[0] = TAG.set;
  return set;
}

/** Values of an attribute that stands twice lie together, so that it has no only one. */
function readAttributes(list: Element): Map<string, Element[]> {
  const attributes = new Map<string, Element[]>();
  for (const attribute of walkElements(list)) {
    const fields = readElements(attribute);
    const oid = readOid(fields.take(TAG.oid));
    const values = listElements(fields.take(TAG.set));
    attributes.set(oid, [...(attributes.get(oid) ?? []), ...values]);
  }
  return attributes;
}

function unreadable(): DocketError {
  return new DocketError('CORRUPT_ENVELOPE', 'The bytes are no signed data of RFC 5652.');
}
