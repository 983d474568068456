import type pg from 'pg';
import type { TestDatabase } from '../support/database.ts';

/** What the gateway sets for a request: the claims of a token, and the role that they name. */
export interface Token {
  readonly role: 'analyst' | 'operator' | 'evidence_owner' | 'auditor';
  readonly sources: readonly string[];
  readonly sub?: string;
}

/** Runs a query as the GraphQL server does for a request, in a transaction of its own. */
export async function asToken(
  database: TestDatabase,
  { role, sources, sub = 'ann' }: Token,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Record<string, unknown>>> {
  return asGateway(
    database,
    { role: `docket_${role}`, claims: JSON.stringify({ sub, role, sources }) },
    text,
    values,
  );
}

/** Runs a query through the login of the gateway with settings as they are given, in a transaction of its own. */
export async function asGateway(
  database: TestDatabase,
  settings: { role?: string; claims?: string },
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = await database.pool('docket_gateway').connect();
  try {
    await client.query('begin');
    if (settings.claims !== undefined) {
      await client.query(`select set_config('docket.claims', $1, true)`, [settings.claims]);
    }
    if (settings.role !== undefined)
      await client.query(`select set_config('role', $1, true)`, [settings.role]);
    const result = await client.query<Record<string, unknown>>(text, values);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
