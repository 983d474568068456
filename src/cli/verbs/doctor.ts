import { sql } from 'kysely';
import { z } from 'zod';
import { hardeningGaps } from '../../db/commands.ts';
import { connectionLines, connectionNeed } from '../connection-need.ts';
import { withDatabase } from '../database-access.ts';
import { EXIT } from '../exit-codes.ts';
import { storeLines, storePresence } from '../store-presence.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';
import { claimLines } from '../verify/verification-lines.ts';
import { verify } from '../verify/verification.ts';

/** Verification reads the whole log. */
const WITHOUT_LIMIT = 0;

export default defineVerb({
  usage: 'doctor',
  summary:
    'Check the database: hardening, connections for workers, the store, who could change history, and everything that verify checks.',
  input: z.strictObject({}),
  run: (_input, { config, log, interrupted }) =>
    withDatabase(config, { log, statementTimeoutMs: WITHOUT_LIMIT }, async (database) => {
      const { as, reader } = database;
      const auditor = as('docket_auditor');
      const { rows: versions } = await sql<{ version: string }>`
        select current_setting('server_version') as version`.execute(reader);
      const { rows: owners } = await sql<{ login: string; is_superuser: boolean }>`
        select rolname as login, rolsuper as is_superuser
        from pg_roles
        where rolname not like 'pg\\_%' and rolname <> 'docket_owner'
          and (rolsuper or pg_has_role(oid, 'docket_owner', 'member'))
        order by rolname`.execute(reader);
      const gaps = await hardeningGaps(auditor);
      const connections = await connectionNeed(reader, config);
      const store = await storePresence(config);
      const verified = await verify(database, { signal: interrupted });
      const verification = verified.rows.map((row) => ({
        checked: row.checked,
        count: Number(row.checked_count),
        failed: Number(row.failed_count),
        first_offender: row.first_offender,
      }));
      // Who can become the owner is told by itself.
      const others = gaps.filter((gap) => !gap.step.endsWith('can become docket_owner'));
      return {
        json: {
          ok: verified.ok,
          server_version: versions[0]?.version ?? null,
          can_become_owner: owners,
          hardening_gaps: gaps,
          connections,
          store,
          verification,
        },
        text: [
          `Postgres ${versions[0]?.version ?? ''}`,
          '',
          textTable(
            ['checked', 'count', 'failed', 'first offender'],
            verification.map((row) => [row.checked, row.count, row.failed, row.first_offender ?? '']),
          ),
          '',
          'Can change history (keep checkpoints of the log where they cannot):',
          ...owners.map((row) => `  ${row.login}${row.is_superuser ? ', a superuser' : ''}`),
          '',
          others.length === 0 ? 'Hardening: nothing else is missing.' : 'Hardening not in force:',
          ...others.map((gap) => `  ${gap.step}\n    so ${gap.consequence}`),
          '',
          ...connectionLines(connections),
          '',
          ...storeLines(store),
          ...claimLines(verified),
        ].join('\n'),
        exitCode: verified.ok ? EXIT.ok : EXIT.checkFailed,
      };
    }),
});
