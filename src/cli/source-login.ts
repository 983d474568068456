import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';
import { newPassword, scramVerifier } from './scram-verifier.ts';

/** Set on logins of sources: one that hangs must not hold a transaction, and with it old rows, for long. */
const LIMITS = { idle_in_transaction_session_timeout: '60s', statement_timeout: '60s' };

/** Senders deliver, analysts read. */
export type SourceGroup = 'docket_app' | 'docket_analyst';

export interface SourceLogin {
  readonly created: boolean;
  /** Newly made, to be shown once; null where nothing was set. */
  readonly password: string | null;
}

/**
 * Makes a login in a group unless it exists, with time limits where it has none of its own. With `renewPassword`, or when it is made, it gets a new password if `needsPassword` says that the server asks for one.
 */
export async function ensureSourceLogin(
  owner: Kysely<Database>,
  name: string,
  options: { group: SourceGroup; needsPassword: boolean; renewPassword: boolean },
): Promise<SourceLogin> {
  const login = sql.id(name);
  const { rows } = await sql<{ settings: string[] | null }>`
    select rolconfig as settings from pg_roles where rolname = ${name}`.execute(owner);
  const [found] = rows;
  if (!found)
    await sql`create role ${login} login connection limit 20 in role ${sql.id(options.group)}`.execute(owner);
  for (const [setting, value] of Object.entries(LIMITS)) {
    if (found?.settings?.some((one) => one.startsWith(`${setting}=`))) continue;
    await sql`alter role ${login} set ${sql.id(setting)} = ${sql.lit(value)}`.execute(owner);
  }
  if (!options.needsPassword || (found && !options.renewPassword)) return { created: !found, password: null };
  const password = newPassword();
  await sql`alter role ${login} password ${sql.lit(scramVerifier(password))}`.execute(owner);
  return { created: !found, password };
}
