import type { CheckedRow } from '../../db/installed-code.ts';
import type { ReportCheck, ReportProof } from '../../report/proof.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Verification } from '../verify/verification.ts';
import { verify } from '../verify/verification.ts';
import { claimLines, copyLine } from '../verify/verification-lines.ts';
import type { DemoOutcome } from './demo-outcomes.ts';
import type { PlantedTamper } from './plant-tampers.ts';
import { plantTampers } from './plant-tampers.ts';
import type { ReplayedAll } from './replay-published.ts';

/** What the demo shows of its record: that it is what it was, and that a change would be found. */
export interface DemoProof {
  readonly verification: Verification;
  readonly replay: ReplayedAll;
  readonly tampers: readonly PlantedTamper[];
}

/** Verifies the record, then changes it as a superuser, has that found, and takes it back. */
export async function proveDemo(
  database: DatabaseAccess,
  outcomes: readonly DemoOutcome[],
  { replay, signal }: { replay: ReplayedAll; signal: AbortSignal },
): Promise<DemoProof> {
  const verification = await verify(database, { signal });
  return { verification, replay, tampers: await plantTampers(database, outcomes) };
}

/** Whether all of it is as it must be: nothing wrong, everything replayed, and every planted change found. */
export function isProven({ verification, replay, tampers }: DemoProof): boolean {
  return (
    verification.ok &&
    replay.failed + replay.unchecked === 0 &&
    tampers.every((tamper) => tamper.found.length > 0)
  );
}

/** What found the planted changes, by check and offender; null where one of them was not found. */
export function tamperFound({ tampers }: DemoProof): string | null {
  if (tampers.some((tamper) => tamper.found.length === 0)) return null;
  return tampers.map(({ found }) => namedBy(found)).join('; ');
}

/** The same for a person. */
export function proofLines({ verification, replay, tampers }: DemoProof): string[] {
  const checks = verification.rows.length;
  const others = replay.failed + replay.unchecked;
  return [
    verification.ok
      ? `Verified: ${checks} checks, each over everything, and nothing wrong.`
      : `VERIFICATION FAILED: ${namedBy(verification.rows.filter((row) => row.failed_count !== '0'))}`,
    ...claimLines(verification).map((line) => `  ${line}`),
    `Published documents replayed from the store: ${replay.passed}, ` +
      (others === 0 ? 'every one is what was published.' : `BUT ${others} ARE NOT, OR WERE NOT LOOKED AT.`),
    ...tampers.map(({ what, found }) =>
      found.length === 0
        ? `A superuser changed ${what}: NOT FOUND.`
        : `A superuser changed ${what}: found by ${namedBy(found)}; taken back.`,
    ),
  ];
}

/** The proof as the report shows it. */
export function proofForReport({ verification, replay, tampers }: DemoProof): ReportProof {
  return {
    checks: verification.rows.map(toCheck),
    copies: verification.copies.map(copyLine),
    claim: claimLines(verification),
    replay,
    tampers: tampers.map(({ what, found }) => ({ what, found: found.map(toCheck) })),
  };
}

function toCheck(row: CheckedRow): ReportCheck {
  return {
    checked: row.checked,
    count: Number(row.checked_count),
    failed: Number(row.failed_count),
    firstOffender: row.first_offender,
    expected: row.expected,
    found: row.found,
  };
}

function namedBy(rows: readonly CheckedRow[]): string {
  return rows.map(({ checked, first_offender }) => `${checked} (${first_offender ?? ''})`).join(', ');
}
