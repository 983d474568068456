import type pg from 'pg';

/** The checksum (see checksumOf) of the SQL that was applied last to a database; undefined where it has tables for it, and none was. */
export async function appliedSql(client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query<{ sha256: string }>(
    'select sha256 from docket.replays order by replay_id desc limit 1',
  );
  return rows[0]?.sha256;
}
