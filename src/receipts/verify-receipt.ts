import type { KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, exportJWK } from 'jose';
import { DocketError } from '../errors.ts';
import type { Receipt } from './receipt.ts';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE, receiptPayload } from './receipt.ts';

/** The shape of a compact JWS, signed or not. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Verifies a receipt by keys that the caller trusts, and by nothing else: the id that its header names is not asked. Answers what it
 * says, and the thumbprint of the key that signed it. Throws RECEIPT_INVALID, and RECEIPT_MALFORMED for what is no JWS, or was
 * signed by one of the keys, but as something else.
 */
export async function verifyReceipt(
  jws: string,
  keys: readonly KeyObject[],
): Promise<{ receipt: Receipt; kid: string }> {
  if (!COMPACT.test(jws.trim())) {
    throw new DocketError('RECEIPT_MALFORMED', 'it is no receipt', {
      hint: 'a receipt is one line of three parts: docs/receipts.md',
    });
  }
  const { payload, header, key } = await verifyByAny(jws.trim(), keys);
  const receipt = receiptPayload.safeParse(parse(payload));
  if (header.typ !== RECEIPT_TYPE || !receipt.success) {
    throw new DocketError('RECEIPT_MALFORMED', 'it is signed by the key, but it is no receipt', {
      hint: 'look at what it says: docs/receipts.md',
    });
  }
  return { receipt: receipt.data, kid: await calculateJwkThumbprint(await exportJWK(key)) };
}

async function verifyByAny(jws: string, keys: readonly KeyObject[]) {
  let cause: unknown;
  for (const key of keys) {
    try {
      const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: [RECEIPT_ALGORITHM] });
      return { payload, header: protectedHeader, key };
    } catch (error) {
      cause = error;
    }
  }
  throw new DocketError('RECEIPT_INVALID', 'no given key signed this receipt, or it was altered', {
    cause,
    hint: 'ask the issuer for its keys, by another way than the receipt came: GET /receipt-keys has them all',
  });
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return undefined;
  }
}
