import type { Receipt } from '../../src/receipts/receipt.ts';

/** A receipt as the database has it said, with an issuer. */
export const RECEIPT: Receipt = {
  iss: 'https://docket.example',
  jti: '0d9bd3f6-6f0c-4e2b-9d55-7d1f0b1c2a33',
  iat: 1_767_323_045,
  sub: 'carrier-a',
  outcome: 'RECE',
  delivery: {
    id: '12',
    received_at: '2026-01-02T03:04:04.123456Z',
    sha256: 'ab'.repeat(32),
    size_bytes: 4711,
    captured_at_as_stated: '2026-01-02T03:00:00.000000Z',
  },
  document: 'abababab-abab-8bab-abab-abababababab',
  event: { seq: 3, name: 'verified', at: '2026-01-02T03:04:05.000001Z', hash: 'cd'.repeat(32) },
  statement: 'Bytes received. It has no signature.',
};
