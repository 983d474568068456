import { SignJWT } from 'jose';
import type pg from 'pg';

/** A key of docket.reference_keys, with the name by which headers call it. */
export interface ReferenceKey {
  kid: string;
  key: Uint8Array;
}

/** The newest key by which references are signed, as only a superuser can read it. */
export async function keyOf(db: pg.Pool): Promise<ReferenceKey> {
  const { rows } = await db.query<{ kid: string; inner_pad: Buffer }>(
    `select reference_key_id::text as kid, inner_pad from docket.reference_keys order by reference_key_id desc limit 1`,
  );
  const { kid, inner_pad: pad } = rows[0]!;
  return { kid, key: Uint8Array.from(pad.subarray(0, 32), (byte) => byte ^ 0x36) };
}

/** What a reference says; read without asking whether it is true. */
export function claimsOf(ref: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(ref.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
}

/** Signs claims by a key with HS256, as another implementation than the database does it. */
export function sign(claims: Record<string, unknown>, { kid, key }: ReferenceKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(key);
}
