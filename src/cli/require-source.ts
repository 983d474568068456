import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import { DocketError } from '../errors.ts';

/** Throws ZD023 unless there is a source of the name: a mistyped one must not look like one about which there is nothing. */
export async function requireSource(db: Kysely<Database>, name: string): Promise<void> {
  const found = await db
    .selectFrom('docket.sources')
    .select('source_id')
    .where('source_id', '=', name)
    .executeTakeFirst();
  if (found) return;
  throw new DocketError('ZD023', `source_id: there is no source "${name}"`, {
    hint: 'see docket source list; a source is made with its sender: docket source add NAME --login ROLE',
  });
}
