import { readElement } from '../asn1/asn1.ts';
import { readName } from '../asn1/distinguished-name.ts';
import { countRevoked, readRevocationList } from './revocation-list.ts';

/** What a revocation list says of itself; nobody has checked its signature. */
export interface RevocationListFacts {
  /** RFC 4514, most particular part first. */
  readonly issuer: string;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
  /** How many certificates it names. */
  readonly revoked: number;
}

/** Reads an X.509 CRL in DER, to be shown; null if the bytes are anything else, or something follows it. */
export function readRevocationListFacts(der: Buffer): RevocationListFacts | null {
  try {
    if (readElement(der).bytes.length !== der.length) return null;
    const list = readRevocationList(der);
    const { thisUpdate, nextUpdate } = list;
    return { issuer: readName(list.issuerName), thisUpdate, nextUpdate, revoked: countRevoked(list) };
  } catch {
    return null;
  }
}
