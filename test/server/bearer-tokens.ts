import type { CryptoKey, JWK } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** What is said of a bearer; what is left out is made up. */
export interface Bearer {
  role?: string;
  sources?: readonly string[];
  subject?: string;
}

/** A key pair of the test's own, and tokens signed with it. */
export interface Issuer {
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  /** A token that holds for an hour; `claims` replace or, as undefined, remove what it says. */
  token(bearer: Bearer, claims?: Record<string, unknown>): Promise<string>;
}

/** Makes an issuer of tokens that does not share the product's code for it. */
export async function createIssuer(alg: 'EdDSA' | 'RS256' = 'EdDSA'): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return {
    publicJwk,
    privateKey,
    token({ role = 'analyst', sources = [], subject = 'somebody' }, claims: Record<string, unknown> = {}) {
      const now = Math.floor(Date.now() / 1000);
      const said: Record<string, unknown> = {
        sub: subject,
        role,
        sources,
        aud: 'docket',
        iat: now,
        exp: now + 3600,
        ...claims,
      };
      const kept = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      return new SignJWT(kept).setProtectedHeader({ alg }).sign(privateKey);
    },
  };
}
