import type pg from 'pg';
import { addSource } from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { DatabaseAccess } from './database-access.ts';
import { ensureSourceLogin } from './source-login.ts';
import { typedQueries } from './typed-queries.ts';

/** The source that `docket submit` delivers for unless another one is named; made on first use. */
export const LOCAL_SOURCE = 'local';
const LOCAL_LOGIN = 'docket_local';

/**
 * The connections over which the command line itself delivers: in an embedded database as a login of its own, elsewhere
 * as the installing login with the rights of senders and no more.
 */
export async function localSender(database: DatabaseAccess): Promise<pg.Pool> {
  const login = database.cluster ? LOCAL_LOGIN : await installingLogin(database);
  const known = await database.reader
    .selectFrom('docket.source_members')
    .select('source_id')
    .where('source_id', '=', LOCAL_SOURCE)
    .where('role_name', '=', login)
    .where('may_deliver', '=', true)
    .executeTakeFirst();
  if (!known) {
    if (database.cluster) {
      await ensureSourceLogin(typedQueries(database.owner()), LOCAL_LOGIN, {
        group: 'docket_app',
        needsPassword: false,
        renewPassword: false,
      });
    } else await joinSenders(database, login);
    await addSource(database.as('docket_operator'), {
      sourceId: LOCAL_SOURCE,
      login,
      note: 'files submitted by the command line',
    });
  }
  return database.cluster ? database.login(LOCAL_LOGIN) : database.as('docket_app');
}

async function installingLogin(database: DatabaseAccess): Promise<string> {
  const { rows } = await database.owner().query<{ login: string }>('select session_user::text as login');
  const [row] = rows;
  if (!row) throw new DocketError('INTERNAL_ERROR', 'the session has no user');
  return row.login;
}

/** A superuser may act as anybody; another installing login has made the group and may enter it. */
async function joinSenders(database: DatabaseAccess, login: string): Promise<void> {
  const { rows } = await database
    .owner()
    .query<{ can: boolean }>(`select pg_has_role($1::name, 'docket_app', 'set') as can`, [login]);
  if (rows[0]?.can !== true) await database.owner().query('grant docket_app to current_user with set true');
}
