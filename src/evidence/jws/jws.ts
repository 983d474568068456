import type { EnvelopeFormat } from '../envelope-format.ts';
import { checkJwsSignature } from './signature.ts';
import { readJws } from './serialization.ts';
import { malformed } from '../malformed-report.ts';
import type { SignatureReport } from '../signature.ts';

/** The base64url of an object in JSON, as far as it is looked at. */
const COMPACT = /^\s*e[wy][\w-]+(?:\.|$)/;
const JSON_OBJECT = /^\s*\{/;

/** JSON Web Signatures (RFC 7515), detached or with the document as payload, and JAdES. */
export const JWS: EnvelopeFormat = {
  recognises(envelope) {
    const start = Buffer.from(envelope.subarray(0, 4096)).toString('latin1');
    return COMPACT.test(start) || JSON_OBJECT.test(start);
  },

  async check(envelope, content, trust, signal) {
    const jws = readJws(envelope);
    if (typeof jws === 'string') return [malformed('jws', jws)];
    const reports: SignatureReport[] = [];
    for (const signature of jws.signatures) {
      reports.push(await checkJwsSignature(jws.payload, signature, content, trust, signal));
    }
    return reports;
  },
};
