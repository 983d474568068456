import { z } from 'zod';

/** What senders are told of a delivery, in the words of the trade. */
export const OUTCOMES = ['PEND', 'RECE', 'DUPE', 'BENV', 'BSIG'] as const;

/** The header `typ` of receipts: no other message signed by the same key can be taken for one. */
export const RECEIPT_TYPE = 'docket-receipt+jws';
export const RECEIPT_ALGORITHM = 'EdDSA';

const number = z.string().regex(/^\d{1,19}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.iso.datetime();

/** The payload of a receipt. Documented in docs/receipts.md. */
export const receiptPayload = z.strictObject({
  iss: z.string(),
  jti: z.uuid(),
  iat: z.int(),
  /** The source that delivered. */
  sub: z.string(),
  outcome: z.enum(OUTCOMES),
  delivery: z.strictObject({
    id: number,
    received_at: time,
    sha256,
    size_bytes: z.int(),
    /** Whatever it may be: nobody checked it. */
    captured_at_as_stated: z.string(),
  }),
  /** Where the source sees it. */
  document: z.guid().optional(),
  /** Of a DUPE: the delivery of the same source that brought the bytes. */
  earlier: z.strictObject({ id: number, received_at: time }).optional(),
  /** Where the source may know of it: what happened, as the audit log has it. */
  event: z.strictObject({ seq: z.int(), name: z.string(), at: time, hash: sha256 }).optional(),
  code: z.string().optional(),
  meaning: z.string().optional(),
  remedy: z.string().optional(),
  statement: z.string(),
});
export type Receipt = z.infer<typeof receiptPayload>;
