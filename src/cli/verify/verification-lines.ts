import { textTable } from '../text-table.ts';
import type { CheckedCopy } from './check-copy.ts';
import type { Verification } from './verification.ts';

const SIGNED_BY = {
  'given key': 'by the given key',
  'key file': 'by the key of the key file',
  'key of the database': 'by a key that only the database vouches for',
};

/** What was checked, what was found wrong, and what is kept outside. */
export function verificationLines({ rows, copies, witnesses }: Verification): string[] {
  const wrong = rows.filter((row) => row.failed_count !== '0');
  return [
    textTable(
      ['checked', 'count', 'failed', 'first offender'],
      rows.map((row) => [
        row.checked,
        Number(row.checked_count),
        Number(row.failed_count),
        row.first_offender ?? '',
      ]),
    ),
    ...wrong.flatMap(({ checked, first_offender, expected, found }) => [
      '',
      `WRONG: ${checked}: ${first_offender ?? ''}`,
      `  expected  ${expected ?? ''}`,
      `  found     ${found ?? ''}`,
    ]),
    '',
    'Copies of checkpoints outside the database:',
    ...(copies.length === 0 ? ['  none'] : copies.map((copy) => `  ${copyLine(copy)}`)),
    ...(witnesses ?? []).map(({ name, size, at }) =>
      size === null
        ? `  witness ${name}: cosigned none of them`
        : `  witness ${name}: cosigned ${size} leaves at ${at ?? ''}`,
    ),
    ...(witnesses === undefined ? ['  no witnesses'] : []),
  ];
}

/** What that proves, and what it does not. */
export function claimLines({ ok, rows, copies, spans, vouchedFor }: Verification): string[] {
  if (!ok) {
    const others = rows.some((row) => row.checked.startsWith('installed') && row.failed_count !== '0');
    return [
      'THE RECORD IS NOT WHAT IT WAS: see what failed above.',
      ...(others
        ? [
            'Code that differs may be that of another version of Docket: verify by that version, or migrate first.',
          ]
        : []),
      ...(copies.some(({ newest }) => newest !== null && newest > spans.size)
        ? [
            'A copy outside counts more leaves than there are: the database was restored, or somebody removed events.',
            'After a restore stop the workers, then docket recovery declare: docs/checkpoints.md.',
          ]
        : []),
    ];
  }
  if (vouchedFor === null) {
    return [
      'Self-consistent only: the log agrees with itself, and no copy of a checkpoint outside the database was found.',
      'Whoever owns the database could have rewritten all of it. See docs/checkpoints.md for keeping copies that count.',
    ];
  }
  const rest = spans.size - vouchedFor + spans.unsealed;
  return [
    `The log agrees with itself and extends every checkpoint outside, up to ${vouchedFor} of its leaves.`,
    'Who rewrote them would have had to change these copies too; a copy on a machine is as safe as that machine.',
    ...(rest > 0n ? [`For the ${rest} events after them it is self-consistent only.`] : []),
  ];
}

/** What a copy has, in a line. */
export function copyLine(copy: CheckedCopy): string {
  const { place, kind, checkpoints, newest, size, signedBy, lost, failure } = copy;
  if (failure !== null) return `${kind} ${place}: could not be looked at: ${failure}`;
  return [
    `${kind} ${place}: ${checkpoints} ${checkpoints === 1 ? 'checkpoint' : 'checkpoints'}`,
    newest === null
      ? 'none of the present log'
      : `the newest of ${newest} leaves${size === null ? ', which is not good' : ''}`,
    ...(signedBy === null ? [] : [SIGNED_BY[signedBy]]),
    ...(lost === 0 ? [] : [`${lost} of leaves that a declared restore lost`]),
  ].join(', ');
}
