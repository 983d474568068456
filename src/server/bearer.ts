import type { Identity, TokenKeys, TokenOptions } from './identity.ts';
import { tokenInvalid, verifyToken } from './identity.ts';

/** Says who bears a token. */
export interface BearerCheck {
  /** @param authorization The header `Bearer TOKEN`. @throws DocketError TOKEN_INVALID. */
  identify(authorization: string | undefined): Promise<Identity>;
}

/** A token is checked anew after this time, so that a key that was withdrawn is not believed for long. */
const BELIEVED_FOR_MS = 60_000;
const REMEMBERED = 1_000;

/** Checks tokens, and remembers for a while those that were found valid: a signature costs more than a small query. */
export function createBearerCheck(keys: TokenKeys, options: TokenOptions): BearerCheck {
  const known = new Map<string, { identity: Identity; until: number }>();

  return {
    async identify(authorization) {
      const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) throw tokenInvalid();
      const now = Date.now();
      const remembered = known.get(token);
      if (remembered && remembered.until > now) return remembered.identity;
      known.delete(token);
      const identity = await verifyToken(token, keys, options);
      const [oldest] = known.keys();
      if (known.size >= REMEMBERED && oldest !== undefined) known.delete(oldest);
      known.set(token, { identity, until: Math.min(identity.expiresAt.getTime(), now + BELIEVED_FOR_MS) });
      return identity;
    },
  };
}
