import type pg from 'pg';
import { addSource } from '../../db/commands.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { ensureSourceLogin } from '../source-login.ts';
import { typedQueries } from '../typed-queries.ts';

/** Makes sources, each with a login of its own, and answers the connections of those logins by source. */
export async function makeSenders(
  database: DatabaseAccess,
  sourceIds: Iterable<string>,
): Promise<Map<string, pg.Pool>> {
  const senders = new Map<string, pg.Pool>();
  for (const sourceId of new Set(sourceIds)) {
    const login = `demo_${sourceId.replaceAll(/[^a-z0-9]/g, '_')}`;
    await ensureSourceLogin(typedQueries(database.owner()), login, {
      group: 'docket_app',
      needsPassword: false,
      renewPassword: false,
    });
    await addSource(database.as('docket_operator'), { sourceId, login, note: 'made by docket demo' });
    senders.set(sourceId, database.login(login));
  }
  return senders;
}
