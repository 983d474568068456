import type { SigningKey } from './key-file.ts';
import type { Receipt } from './receipt.ts';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE } from './receipt.ts';

/** A receipt as a compact JWS (RFC 7515, RFC 8037). */
export function signReceipt(receipt: Receipt, key: SigningKey): string {
  const signed = [{ alg: RECEIPT_ALGORITHM, kid: key.kid, typ: RECEIPT_TYPE }, receipt]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${key.sign(Buffer.from(signed)).toString('base64url')}`;
}
