import { checkCms } from './check-cms.ts';
import type { EnvelopeFormat } from '../envelope-format.ts';

const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex');
const ARMOUR = /^-----BEGIN (PKCS7|CMS)-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END \1-----\s*$/;

/** CMS, CAdES and PKCS#7 (.p7s, .p7m), as DER, BER or PEM; time-stamps of RFC 3161 as well, since they are signed data too. */
export const CMS: EnvelopeFormat = {
  recognises: (envelope) =>
    Buffer.from(envelope.subarray(0, 32)).includes(SIGNED_DATA) ||
    /^-----BEGIN (PKCS7|CMS)-----/.test(text(envelope, 32)),
  check: (envelope, content, trust, signal) => {
    const armoured = ARMOUR.exec(
      text(envelope, 32).startsWith('-----') ? text(envelope, envelope.length) : '',
    );
    const der = armoured ? Buffer.from(armoured[2] ?? '', 'base64') : envelope;
    return checkCms({ der, content, trust, signal });
  },
};

function text(bytes: Uint8Array, length: number): string {
  return Buffer.from(bytes.subarray(0, length)).toString('latin1');
}
