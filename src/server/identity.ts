import type { JWTVerifyGetKey } from 'jose';
import { jwtVerify } from 'jose';
import { z } from 'zod';
import { DocketError } from '../errors.ts';

/** What a token may make of its bearer. A sender puts objects; the others ask, and never deliver. */
export const TOKEN_ROLES = ['analyst', 'operator', 'evidence_owner', 'auditor', 'sender'] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** Who asks, as a token whose signature was checked says. */
export interface Identity {
  readonly subject: string;
  readonly role: TokenRole;
  /** Names of sources; `*` stands for all of them. */
  readonly sources: readonly string[];
  readonly expiresAt: Date;
}

/** Finds the public key that a token names, or the only one there is. */
export type TokenKeys = JWTVerifyGetKey;

export interface TokenOptions {
  readonly audience: string;
  /** Undefined: any. */
  readonly issuer?: string | undefined;
}

/** The only ways of signing that are believed: with two keys, so that no public key can be taken for a secret. */
const ALGORITHMS = ['EdDSA', 'RS256'];
const LONGEST_TOKEN = 8_192;

/** How people are named: by what can be printed, and not by blanks alone. */
export const SUBJECT = /^(?=.*\S)[^\p{C}]{1,200}$/u;

const claims = z.object({
  sub: z.string().regex(SUBJECT),
  role: z.enum(TOKEN_ROLES),
  sources: z.array(z.string().min(1).max(200)).max(1_000),
  exp: z.number(),
});

/**
 * Checks a token and reads who its bearer is. Throws TOKEN_INVALID, which does not say what was wrong, for anything but a
 * token signed by one of the keys, for this audience, not expired, with all claims.
 */
export async function verifyToken(token: string, keys: TokenKeys, options: TokenOptions): Promise<Identity> {
  if (token.length > LONGEST_TOKEN) throw tokenInvalid();
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      audience: options.audience,
      requiredClaims: ['sub', 'exp', 'role', 'sources'],
      ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
    });
    const { sub, role, sources, exp } = claims.parse(payload);
    return Object.freeze({
      subject: sub,
      role,
      sources: Object.freeze([...sources]),
      expiresAt: new Date(exp * 1000),
    });
  } catch (cause) {
    throw tokenInvalid(cause);
  }
}

/** The one answer to every token that is not believed. */
export function tokenInvalid(cause?: unknown): DocketError {
  return new DocketError('TOKEN_INVALID', 'the token is missing, expired or not valid', { cause });
}
