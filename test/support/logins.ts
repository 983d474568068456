import type pg from 'pg';
import type { TestDatabase } from './database.ts';

/** The groups that people and applications belong to. */
export type LoginGroup =
  'docket_app' | 'docket_operator' | 'docket_evidence_owner' | 'docket_auditor' | 'docket_analyst';

export interface Login {
  readonly name: string;
  /** Connections as this login; closed with the database. */
  readonly pool: pg.Pool;
}

export interface Sender extends Login {
  readonly sourceId: string;
}

let count = 0;

/** Makes a login in a group, as an administrator would; it is dropped with the database. */
export async function createLogin(database: TestDatabase, group: LoginGroup): Promise<Login> {
  count += 1;
  // Roles belong to the server, which other test files use at the same time: the database's name keeps them apart.
  const name = `${database.name}_login_${String(count)}`;
  await database.pool().query(`create role ${name} login in role ${group}`);
  database.beforeDrop(async () => {
    await database.pool(name).end();
    await database.pool().query(`drop owned by ${name}`);
    await database.pool().query(`drop role ${name}`);
  });
  return { name, pool: database.pool(name) };
}

/** Makes a source and a login that delivers for it. */
export async function createSender(database: TestDatabase, sourceId: string): Promise<Sender> {
  const login = await createLogin(database, 'docket_app');
  await database.pool().query('select docket.add_source($1, $2)', [sourceId, login.name]);
  return { ...login, sourceId };
}
