import type { KeyObject } from 'node:crypto';
import { readAnchors } from '../certificates/anchors.ts';
import { readCertificate } from '../certificates/x509.ts';
import {
  judgeCertificate,
  judgeKey,
  type SignerJudgement,
  type SigningTime,
} from '../certificates/judge-certificate.ts';
import type { Trust } from '../trust.ts';

/** A key that may have made a signature, and what that would say of the signer. */
export interface SignerCandidate {
  readonly key: KeyObject;
  judge(signedAt: SigningTime | null): SignerJudgement;
}

/** Whoever holds the key of a certificate, which leads to an anchor by way of the others; null if it cannot be read. */
export function holderOfCertificate(
  der: Uint8Array,
  chain: readonly Uint8Array[],
  trust: Trust,
): SignerCandidate | null {
  const certificate = readCertificate(der);
  if (!certificate) return null;
  return {
    key: certificate.key,
    judge: (signedAt) => judgeCertificate({ certificate: der, chain, trust, purpose: 'signer', signedAt }),
  };
}

/** Whoever holds a key that stands for itself. */
export function holderOfKey(key: KeyObject, trust: Trust): SignerCandidate {
  const spki = key.export({ type: 'spki', format: 'der' });
  return {
    key,
    judge: (signedAt) => judgeKey({ spki, trust, purpose: 'signer', signedAt }),
  };
}

/** The holders of the keys of all anchors for signers. Key ids are hints that anybody can write: each key is a candidate. */
export function holdersOfAnchors(trust: Trust): SignerCandidate[] {
  const keys = readAnchors(trust, 'signer').map(({ key }) => key);
  return keys
    .filter((key, index) => keys.findIndex((other) => other.equals(key)) === index)
    .map((key) => holderOfKey(key, trust));
}
