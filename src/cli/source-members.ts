import { DocketError } from '../errors.ts';
import type { DatabaseAccess } from './database-access.ts';

/** Logins that may deliver for a source, by name. Throws ZD023 if there is no such source. */
export async function sendersOf(database: DatabaseAccess, sourceId: string): Promise<string[]> {
  const rows = await database.reader
    .selectFrom('docket.sources as s')
    .leftJoin('docket.source_members as m', (join) =>
      join.onRef('m.source_id', '=', 's.source_id').on('m.may_deliver', '=', true),
    )
    .where('s.source_id', '=', sourceId)
    .select('m.role_name')
    .orderBy('m.role_name')
    .execute();
  if (rows.length === 0) {
    throw new DocketError('ZD023', `source_id: there is no source "${sourceId}"`, {
      hint: `Add it first: docket source add ${sourceId} --login ROLE.`,
    });
  }
  return rows.flatMap((row) => row.role_name ?? []);
}
