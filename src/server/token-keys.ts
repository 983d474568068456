import { readFile } from 'node:fs/promises';
import type { JSONWebKeySet, JWK } from 'jose';
import { createLocalJWKSet, createRemoteJWKSet, exportJWK, importSPKI } from 'jose';
import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { TokenKeys } from './identity.ts';

/** A key set that cannot be fetched is asked for again after this time, not at every request. */
const COOLDOWN_MS = 30_000;
const FETCH_WITHIN_MS = 5_000;

/**
 * The keys that DOCKET_TOKEN_KEYS names: a file with a PEM public key, a JWK or a JWK set, or the https address of a set.
 * Undefined where it is not set. Throws CONFIG_INVALID for what is no key, or is one that must be kept secret.
 */
export async function loadTokenKeys(config: Pick<Config, 'tokenKeys'>): Promise<TokenKeys | undefined> {
  const place = config.tokenKeys;
  if (place === undefined) return undefined;
  if (/^https?:/i.test(place)) {
    return createRemoteJWKSet(new URL(place), {
      cooldownDuration: COOLDOWN_MS,
      timeoutDuration: FETCH_WITHIN_MS,
    });
  }
  try {
    return keysOf(await readKeys(await readFile(place, 'utf8')));
  } catch (cause) {
    if (cause instanceof DocketError) throw cause;
    throw invalid(`${place} has no public key in it`, cause);
  }
}

/** Keys at hand. */
export function keysOf(keys: readonly JWK[]): TokenKeys {
  return createLocalJWKSet({ keys: [...keys] });
}

async function readKeys(text: string): Promise<readonly JWK[]> {
  if (text.includes('PRIVATE KEY')) throw invalid('the file holds a private key');
  if (text.includes('-----BEGIN PUBLIC KEY-----')) {
    const alg = await importSPKI(text, 'EdDSA', { extractable: true }).then(
      () => 'EdDSA',
      () => 'RS256',
    );
    return [await exportJWK(await importSPKI(text, alg, { extractable: true }))];
  }
  const parsed = JSON.parse(text) as JWK | JSONWebKeySet;
  const keys = 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as JWK];
  if (keys.some((key) => key.d !== undefined || key.kty === 'oct'))
    throw invalid('the file holds a secret key');
  if (keys.length === 0 || keys.some((key) => typeof key.kty !== 'string'))
    throw invalid('the file holds no key');
  return keys;
}

function invalid(problem: string, cause?: unknown): DocketError {
  return new DocketError('CONFIG_INVALID', `DOCKET_TOKEN_KEYS: ${problem}`, {
    cause,
    hint: 'name a file with a PEM public key, a JWK or a JWK set (Ed25519 or RSA), or the https address of a set',
  });
}
