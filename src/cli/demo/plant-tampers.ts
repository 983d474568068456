import type pg from 'pg';
import { verifyAll } from '../../db/commands.ts';
import type { CheckedRow } from '../../db/installed-code.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { DemoOutcome } from './demo-outcomes.ts';

/** What a superuser changed, and what verification then said; it was taken back. */
export interface PlantedTamper {
  /** What was changed, in words. */
  readonly what: string;
  /** The checks that failed. */
  readonly found: readonly CheckedRow[];
}

interface Tamper {
  readonly what: string;
  readonly table: string;
  readonly change: string;
  readonly values: readonly unknown[];
}

/**
 * Changes the text of a page and the reason of an event, one after the other, as a superuser who switches the guard off and on
 * again can; has everything verified; and takes it back. Nothing of it is ever committed.
 */
export async function plantTampers(
  database: DatabaseAccess,
  outcomes: readonly DemoOutcome[],
): Promise<PlantedTamper[]> {
  const client = await database.owner().connect();
  try {
    const planted: PlantedTamper[] = [];
    for (const tamper of tampersOf(outcomes)) planted.push(await plant(client, tamper));
    return planted;
  } finally {
    client.release();
  }
}

function tampersOf(outcomes: readonly DemoOutcome[]): Tamper[] {
  const published = outcomes.find((one) => one.state === 'published' && one.pageCount > 0);
  const [first] = outcomes;
  return [
    ...(published
      ? [
          {
            what: `the text of page 1 of ${published.file}`,
            table: 'docket.pages',
            change: `update docket.pages set text = 'Not ' || text where job_id = $1 and page_no = 1`,
            values: [published.jobId],
          },
        ]
      : []),
    ...(first
      ? [
          {
            what: `the reason of event 2 of ${first.file}`,
            table: 'docket_audit.events',
            change: `update docket_audit.events set reason = 'Nothing happened.' where job_id = $1 and seq = 2`,
            values: [first.jobId],
          },
        ]
      : []),
  ];
}

async function plant(client: pg.PoolClient, { what, table, change, values }: Tamper): Promise<PlantedTamper> {
  await client.query('begin');
  try {
    await client.query(`alter table ${table} disable trigger _200_append_only`);
    await client.query(change, [...values]);
    await client.query(`alter table ${table} enable always trigger _200_append_only`);
    const rows = await verifyAll(client);
    return { what, found: rows.filter((row) => row.failed_count !== '0') };
  } finally {
    await client.query('rollback');
  }
}
