// The bytes whose SHA-256 an event envelope_checked names, taken apart. Format: docs/audit-log.md.
import { byteReader } from './byte-reader.ts';

/** One signature as a check found it. */
export interface FoundSignature {
  place: string;
  signatureNo: number;
  sourceId: string;
  judgedAtMicros: bigint;
  checkedAtMicros: bigint;
  /** The text of the report: a JSON object. */
  report: string;
}

/** Takes what a check of a delivery found apart, salt first. Throws SyntaxError where it is none. */
export function readReports(bytes: Uint8Array): { deliveryId: bigint; signatures: FoundSignature[] } {
  const reader = byteReader(bytes);
  reader.bytes(32);
  reader.tag('docket.signatures.1\n');
  const deliveryId = reader.int64();
  const signatures: FoundSignature[] = [];
  while (!reader.isAtEnd()) {
    signatures.push({
      place: reader.textField(),
      signatureNo: reader.int32(),
      sourceId: reader.textField(),
      judgedAtMicros: reader.int64(),
      checkedAtMicros: reader.int64(),
      report: reader.textField(),
    });
  }
  return { deliveryId, signatures };
}
