import { CertificateRevocationList } from 'pkijs';
import { readElement } from './asn1.ts';

/** What a revocation list says of itself; nobody has checked its signature. */
export interface RevocationListFacts {
  /** RFC 4514, most particular part first. */
  readonly issuer: string;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
  /** How many certificates it names. */
  readonly revoked: number;
}

/** Parts of names that have a short form. */
const SHORT: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};

/** Reads an X.509 CRL in DER, to be shown; null if the bytes are anything else, or something follows it. */
export function readRevocationListFacts(der: Buffer): RevocationListFacts | null {
  try {
    if (readElement(der).bytes.length !== der.length) return null;
    const list = CertificateRevocationList.fromBER(Uint8Array.from(der));
    return {
      issuer: list.issuer.typesAndValues
        .map(({ type, value }) => `${SHORT[type] ?? type}=${escaped(value.valueBlock.value)}`)
        .reverse()
        .join(','),
      thisUpdate: list.thisUpdate.value,
      nextUpdate: list.nextUpdate?.value ?? null,
      revoked: list.revokedCertificates?.length ?? 0,
    };
  } catch {
    return null;
  }
}

const escaped = (text: string): string => text.replace(/[,+"\\<>;]/g, '\\$&');
