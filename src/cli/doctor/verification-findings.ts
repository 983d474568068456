import type { Verification } from '../verify/verification.ts';
import type { Finding } from './finding.ts';

/** What a verification found wrong. */
export function verificationFindings({ rows }: Pick<Verification, 'rows'>): Finding[] {
  return rows
    .filter((row) => row.failed_count !== '0')
    .map(
      ({
        checked,
        failed_count: failed,
        checked_count: count,
        first_offender: offender,
        expected,
        found,
      }) => ({
        severity: 'problem',
        what: `${checked}: ${failed} of ${count} are not what they were${offender === null ? '' : `, first ${offender}`}`,
        consequence:
          expected === null && found === null
            ? 'the record does not agree with itself'
            : `expected ${expected ?? 'nothing'}, found ${found ?? 'nothing'}`,
        remedy:
          'docket verify; what finds which change: docs/threat-model.md. Keep the database as it is until you know why',
      }),
    );
}
