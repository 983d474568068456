import type pg from 'pg';
import { DATABASE_ACCESS_DENIED, DATABASE_DENIED, fromDatabase } from '../db/errors.ts';
import { DocketError } from '../errors.ts';
import type { AssumedRole } from './assumed-role.ts';
import type { DatabaseAccess } from './database-access.ts';

/** The option of verbs that are acts of a person. */
export const AS_LOGIN = [
  '--as <login>',
  'act as this login of the embedded server, and be recorded as it; elsewhere the login is that of DOCKET_DATABASE_URL',
] as const;

/** Groups of people whose acts are recorded, with what each is for, and which to be in for that. */
const DUTIES = {
  docket_operator: { who: 'only operators may do this', group: 'docket_operator' },
  docket_evidence_owner: { who: 'only evidence owners may do this', group: 'docket_evidence_owner' },
  docket_auditor: { who: 'only auditors and evidence owners may read this', group: 'docket_evidence_owner' },
} as const;

export type ActingRole = keyof typeof DUTIES & AssumedRole;

/**
 * Lets `act` use the connections of whoever acts: a login of the embedded server that was named, else the login of the
 * database with the rights of the first of the roles that it may take. Says who may, to those who may not.
 */
export async function actAs<Result>(
  database: DatabaseAccess,
  { as: login, roles }: { as: string | undefined; roles: readonly [ActingRole, ...ActingRole[]] },
  act: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  if (login !== undefined && !database.cluster) {
    throw new DocketError('USAGE', '--as names a login of the embedded server, and this is another one', {
      hint: 'connect as yourself: DOCKET_DATABASE_URL',
    });
  }
  const { who, group } = DUTIES[roles[0]];
  try {
    if (login !== undefined) return await act(database.login(login));
    return await act(database.as(await firstOf(database, roles)));
  } catch (error) {
    const { code, message } = fromDatabase(error);
    if (code === DATABASE_DENIED) {
      const whom = login ?? 'the login of DOCKET_DATABASE_URL';
      throw new DocketError(code, message, {
        cause: error,
        hint: `${who}: grant ${group} to ${whom}`,
      });
    }
    if (code === DATABASE_ACCESS_DENIED && login !== undefined) {
      throw new DocketError(code, message, {
        cause: error,
        hint: `make the login first: create role ${login} login in role ${group}`,
      });
    }
    throw error;
  }
}

/** The first of the roles that the login of the database may take; the first of all where it may take none. */
async function firstOf(
  { owner }: DatabaseAccess,
  roles: readonly [ActingRole, ...ActingRole[]],
): Promise<ActingRole> {
  if (roles.length === 1) return roles[0];
  const { rows } = await owner().query<{ role: ActingRole }>(
    `select r.role from unnest($1::name[]) with ordinality as r (role, place)
     where pg_has_role(session_user, r.role, 'set') order by r.place`,
    [roles],
  );
  return rows[0]?.role ?? roles[0];
}
