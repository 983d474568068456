import { z } from 'zod';
import type { DocketError } from '../../errors.ts';
import { errorAnswer, toDocketError } from '../cli-error.ts';
import { withDatabase } from '../database-access.ts';
import type { SeenDatabase } from '../doctor/database-checks.ts';
import { examineDatabase } from '../doctor/database-checks.ts';
import { beginExamination } from '../doctor/examination.ts';
import { findingLines } from '../doctor/finding-lines.ts';
import { examineHost } from '../doctor/host-checks.ts';
import { exitCodeOf, EXIT } from '../exit-codes.ts';
import { VERSION } from '../../version.ts';
import { defineVerb } from '../verb.ts';
import { claimLines } from '../verify/verification-lines.ts';

/** Verification reads the whole log. */
const WITHOUT_LIMIT = 0;

export default defineVerb({
  usage: 'doctor',
  summary:
    'Examine this host and the database: what is wrong, what follows from it and what to do, the worst first; and everything that verify checks.',
  input: z.strictObject({}),
  async run(_input, { config, log, tell, json, interrupted: signal }) {
    const examination = beginExamination({ signal });
    const store = await examineHost(examination, config, { log, signal });
    let seen: SeenDatabase | undefined;
    let failure: DocketError | undefined;
    try {
      seen = await withDatabase(config, { log, statementTimeoutMs: WITHOUT_LIMIT }, async (database) => {
        // Without a schema no check could be made: that is one finding, and not as many as there are checks.
        await database.reader.selectFrom('docket.migrations').select('name').limit(1).execute();
        return examineDatabase(examination, database, { log, signal });
      });
    } catch (error) {
      signal.throwIfAborted();
      failure = toDocketError(error);
      const { code, message, hint } = failure;
      await examination.run('database', () => [
        {
          severity: 'problem',
          what: `the database could not be examined: ${code}, ${message}`,
          consequence: 'nothing is known of the record, its keys in use, its workers and its logins',
          remedy: hint ?? null,
        },
      ]);
    }
    failure ??= seen?.failure;
    const findings = examination.findings();
    const { serverVersion, owners, gaps, connections, verified } = seen ?? {};
    const ok = verified?.ok ?? false;
    if (failure && !json) tell(errorAnswer(failure).text);
    return {
      json: {
        ok,
        ...(failure && { error: failureOf(failure) }),
        findings,
        docket_version: VERSION,
        node_version: process.versions.node,
        server_version: serverVersion ?? null,
        can_become_owner: owners ?? null,
        hardening_gaps: gaps ?? null,
        connections: connections ?? null,
        store: store ?? null,
        verification:
          verified?.rows.map((row) => ({
            checked: row.checked,
            count: Number(row.checked_count),
            failed: Number(row.failed_count),
            first_offender: row.first_offender,
          })) ?? null,
      },
      text: [
        `Docket ${VERSION}, Node ${process.versions.node}, Postgres ${serverVersion ?? 'not seen'}`,
        '',
        ...findingLines(findings),
        '',
        ...(verified
          ? [`Verified by ${verified.rows.length} checks: see docket verify.`, ...claimLines(verified)]
          : ['The record was not verified.']),
      ].join('\n'),
      exitCode: failure ? exitCodeOf(failure.code) : ok ? EXIT.ok : EXIT.checkFailed,
    };
  },
});

/** As errors are told everywhere. */
function failureOf({ code, message, hint }: DocketError): {
  code: string;
  message: string;
  hint: string | null;
} {
  return { code, message, hint: hint ?? null };
}
