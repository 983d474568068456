import { sql } from 'kysely';
import { z } from 'zod';
import { createStore } from '../../store/create-store.ts';
import { beginStore } from '../begin-store.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { EXIT } from '../exit-codes.ts';
import { isoTime } from '../iso-time.ts';
import { takeInventory } from '../take-inventory.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

/** The census reads all that was ever delivered. */
const WITHOUT_LIMIT = 0;

/** In the order in which they are shown; docs/operations.md says what each means. */
const FINDINGS = [
  'missing',
  'other size',
  'disposed',
  'unkeyed',
  'orphan',
  'undelivered',
  'elsewhere',
] as const;

interface Finding {
  finding: (typeof FINDINGS)[number];
  locator: string;
  version: string | null;
  job_id: string | null;
  source_id: string | null;
  size_bytes: string;
  retain_until: string | null;
  meaning: string;
  /** Of all with this finding. */
  count: number;
}

export default defineVerb({
  usage: 'census',
  summary:
    'List the object store and compare it with the database, both ways: what is missing, what is left over.',
  options: [['--limit <count>', 'show so many of each finding at most (default 100)']],
  input: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000_000).default(100) }),
  run: ({ limit }, { config, log, interrupted }) =>
    withDatabase(config, { log, statementTimeoutMs: WITHOUT_LIMIT }, async (database) => {
      await beginStore(database);
      const objects = await takeInventory(database.as('docket_operator'), {
        store: createStore(config),
        name: config.store,
        signal: interrupted,
      });
      const found = await findings(database, limit);
      const count = (finding: string) => found.find((row) => row.finding === finding)?.count ?? 0;
      const ok = count('missing') + count('other size') === 0;
      return {
        json: {
          ok,
          store: config.store,
          objects,
          counts: Object.fromEntries(FINDINGS.map((finding) => [finding, count(finding)])),
          findings: found.map((row) => ({
            finding: row.finding,
            object: row.locator,
            version: row.version,
            job_id: row.job_id,
            source: row.source_id,
            size_bytes: Number(row.size_bytes),
            until: until(row),
            meaning: row.meaning,
          })),
        },
        text: [
          `${String(objects)} objects in ${config.store}`,
          ...(found.length === 0
            ? ['Nothing is missing, and nothing is left over.']
            : FINDINGS.flatMap((finding) => describe(found.filter((row) => row.finding === finding)))),
        ].join('\n'),
        exitCode: ok ? EXIT.ok : EXIT.checkFailed,
      };
    }),
});

async function findings(database: DatabaseAccess, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select c.finding, c.locator, c.version, c.job_id, c.source_id, c.size_bytes, c.retain_until, c.meaning, c.count::integer
    from (
      select *, row_number() over (partition by finding) as turn, count(*) over (partition by finding) as count
      from docket.object_census() with ordinality as c
    ) as c
    where c.turn <= ${limit}
    order by c.ordinality`.execute(database.reader);
  return rows;
}

/** The findings of one kind, under their meaning. */
function describe(rows: readonly Finding[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const unseen = first.count - rows.length;
  return [
    '',
    `${first.finding}: ${String(first.count)}. ${first.meaning}`,
    textTable(
      ['object', 'version', 'job', 'source', 'bytes', 'until'],
      rows.map((row) => [
        row.locator,
        row.version,
        row.job_id,
        row.source_id,
        Number(row.size_bytes),
        until(row),
      ]),
    ),
    ...(unseen > 0 ? [`and ${String(unseen)} more`] : []),
  ];
}

/** Until when the store refuses to remove it; null where it did not say, or was not asked yet. */
function until({ retain_until }: Finding): string | null {
  return retain_until === null || retain_until === 'infinity' ? null : isoTime(retain_until);
}
