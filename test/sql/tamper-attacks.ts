import type pg from 'pg';

/** What somebody with every right does. */
export type Attack = (client: pg.PoolClient) => Promise<unknown>;

/** An attack that is one statement. */
export const sql =
  (statement: string, values: unknown[] = []): Attack =>
  (client) =>
    client.query(statement, values);

/** Attacks one after the other. */
export const both =
  (...attacks: Attack[]): Attack =>
  async (client) => {
    for (const attack of attacks) await attack(client);
  };
