import { join } from 'node:path';
import type { JWK } from 'jose';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { z } from 'zod';
import { DocketError } from '../errors.ts';
import { makePrivateFile, readPrivateFile } from '../private-file.ts';

/** Where the key lies in the data folder. */
const FILE = 'token-key.json';
const ALGORITHM = 'EdDSA';

const keyPair = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
  kid: z.string(),
});
type KeyPair = z.infer<typeof keyPair>;

/** What a token says of its bearer. */
export interface TokenClaims {
  readonly subject: string;
  readonly role: string;
  readonly sources: readonly string[];
  readonly hours: number;
  readonly audience: string;
  readonly issuer?: string | undefined;
}

/** A key pair for tokens made on this machine: for development, and for servers that only this machine's people use. */
export interface LocalKey {
  readonly file: string;
  /** What a server needs to check the tokens; it can make none. */
  readonly publicJwk: JWK;
  /** Makes a token and says when it ends. */
  sign(claims: TokenClaims): Promise<{ token: string; expiresAt: Date }>;
}

/** Where the key of a data folder lies, or would. */
export function localKeyFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/**
 * Opens the key of a data folder; makes it when it is asked for first. Whoever can read the file can be anybody, so
 * one that others may read is refused.
 *
 * @throws DocketError CONFIG_TOKEN_KEY.
 */
export async function openLocalKey(dataDir: string): Promise<LocalKey> {
  const file = localKeyFile(dataDir);
  try {
    const pair = await readKey(file).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await makeKey(file);
      return readKey(file);
    });
    return await localKey(file, pair);
  } catch (error) {
    throw unusable(file, error);
  }
}

async function localKey(file: string, pair: KeyPair): Promise<LocalKey> {
  const key = await importJWK(pair, ALGORITHM);
  const { kty, crv, x, kid } = pair;
  return {
    file,
    publicJwk: { kty, crv, x, kid, alg: ALGORITHM, use: 'sig' },
    async sign({ subject, role, sources, hours, audience, issuer }) {
      const now = Math.floor(Date.now() / 1000);
      const ends = now + Math.round(hours * 3600);
      const unsigned = new SignJWT({ role, sources: [...sources] })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(ends);
      if (issuer !== undefined) unsigned.setIssuer(issuer);
      return { token: await unsigned.sign(key), expiresAt: new Date(ends * 1000) };
    },
  };
}

async function readKey(file: string): Promise<KeyPair> {
  const text = await readPrivateFile(file, {
    code: 'CONFIG_TOKEN_KEY',
    hint: 'else remove it, which ends all tokens made with it',
  });
  return keyPair.parse(JSON.parse(text));
}

/** The first one stays: several processes may come to this point at once. */
async function makeKey(file: string): Promise<void> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  await makePrivateFile(file, `${JSON.stringify({ ...jwk, kid, alg: ALGORITHM })}\n`);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function unusable(file: string, cause: unknown): DocketError {
  if (cause instanceof DocketError) return cause;
  if (cause instanceof Error && 'syscall' in cause) {
    return new DocketError('CONFIG_TOKEN_KEY', `${file} can be neither read nor made: ${cause.message}`, {
      cause,
      hint: 'DOCKET_DATA_DIR must be a folder that you may write to',
    });
  }
  return new DocketError('CONFIG_TOKEN_KEY', `${file} is not a key that can be used`, {
    cause,
    hint: 'remove it: the next one is made by itself, and all tokens made with the old one end',
  });
}
