import { sql } from 'kysely';
import { readLogKey } from '../../checkpoints/log-key.ts';
import type { Config } from '../../config.ts';
import type { SignedNote } from '../../domain/signed-note.ts';
import { isSignedBy } from '../../domain/signed-note.ts';
import type { VerifierKey } from '../../domain/verifier-key.ts';
import { verifierKey } from '../../domain/verifier-key.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { readKeyFile } from './read-key-file.ts';

/** Where a key that signed a checkpoint is known from: whom one has to believe. */
export type KeyOrigin = 'given key' | 'key file' | 'key of the database';

/** The keys by which checkpoints are judged. */
export interface LogKeys {
  /** Where the key is known from that signed a checkpoint; undefined where none that may be believed did. */
  signedBy(note: SignedNote): KeyOrigin | undefined;
}

/**
 * The keys of a file that was given, and no others; else the key that signs here, and those that the database recorded, which
 * whoever rewrote it can have replaced. Throws USAGE for a file without keys, CONFIG_LOG_KEY.
 */
export async function readLogKeys(
  { reader, config }: Pick<DatabaseAccess, 'reader' | 'config'>,
  given: string | undefined,
): Promise<LogKeys> {
  if (given !== undefined) return believing([['given key', await readKeyFile(given)]]);
  const { rows } = await sql<{ name: string; public_key: Buffer }>`
    select name, public_key from docket_audit.checkpoint_keys`.execute(reader);
  const names = new Set(rows.map((row) => row.name));
  return believing([
    ['key file', await ownKeys(config, names)],
    ['key of the database', rows.map((row) => verifierKey(row.name, row.public_key))],
  ]);
}

function believing(keys: readonly (readonly [KeyOrigin, readonly VerifierKey[]])[]): LogKeys {
  return {
    signedBy: (note) => keys.find(([, some]) => some.some((key) => isSignedBy(note, key)))?.[0],
  };
}

async function ownKeys({ logKeyFile }: Config, names: ReadonlySet<string>): Promise<VerifierKey[]> {
  const key = await readLogKey(logKeyFile);
  return key ? [...names].map((name) => verifierKey(name, key.publicKey)) : [];
}
