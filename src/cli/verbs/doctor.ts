import { sql } from 'kysely';
import { z } from 'zod';
import { hardeningGaps, verifyAll } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { EXIT } from '../exit-codes.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

/** Verification reads the whole log. */
const WITHOUT_LIMIT = 0;

export default defineVerb({
  usage: 'doctor',
  summary: 'Check the database: hardening, who could change history, every hash chain and every result.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log, statementTimeoutMs: WITHOUT_LIMIT }, async ({ as, reader }) => {
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
      const verification = (await verifyAll(auditor)).map((row) => ({
        checked: row.checked,
        count: Number(row.checked_count),
        failed: Number(row.failed_count),
        first_offender: row.first_offender,
      }));
      // Who can become the owner is told by itself.
      const others = gaps.filter((gap) => !gap.step.endsWith('can become docket_owner'));
      const ok = verification.every((row) => row.failed === 0);
      return {
        json: {
          ok,
          server_version: versions[0]?.version ?? null,
          can_become_owner: owners,
          hardening_gaps: gaps,
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
          'Can change history (keep a copy of the log where they cannot):',
          ...owners.map((row) => `  ${row.login}${row.is_superuser ? ', a superuser' : ''}`),
          '',
          others.length === 0 ? 'Hardening: nothing else is missing.' : 'Hardening not in force:',
          ...others.map((gap) => `  ${gap.step}\n    so ${gap.consequence}`),
          '',
          ok
            ? 'The log agrees with itself. That nobody replaced it whole, only a copy kept elsewhere can show.'
            : 'THE LOG DOES NOT AGREE WITH ITSELF: see "failed" above.',
        ].join('\n'),
        exitCode: ok ? EXIT.ok : EXIT.checkFailed,
      };
    }),
});
