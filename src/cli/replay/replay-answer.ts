import type { Answer } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import type { ReplayProblem, ReplayStanding } from './replay-standing.ts';

/** What is said of a replay: how it came out, and every document that did not pass, with what differed. */
export function replayAnswer(standing: ReplayStanding, problems: readonly ReplayProblem[]): Answer {
  const rows = problems.flatMap(({ job_id, outcome, code, findings }) =>
    findings.length === 0
      ? [[job_id, outcome, code, null, null, null]]
      : findings.map((finding) => [
          job_id,
          outcome,
          finding.checked,
          finding.page_no,
          short(finding.expected),
          short(finding.found),
        ]),
  );
  return {
    json: { ...standing, documents: problems },
    text: [
      ...(rows.length === 0
        ? []
        : [textTable(['document', 'outcome', 'what', 'page', 'by the log', 'found'], rows), '']),
      `Replay ${standing.replay}: ${printable(standing.statement)}`,
    ].join('\n'),
    exitCode: problems.length === 0 ? EXIT.ok : EXIT.checkFailed,
  };
}

/** As much of a hash as tells two apart; the rest is in the JSON. */
function short(value: string | null): string | null {
  return value !== null && /^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 16)}…` : value;
}
