import { formatCount } from '../../report/measures.ts';
import { printable } from '../printable.ts';
import type { CheckedFinding } from './finding.ts';

/** So many are told in full, with consequence and remedy: more would leave the screen. */
const IN_FULL = 6;

/** Findings for a person, the worst first: the first of them in full, the others and all notes in a line each. */
export function findingLines(findings: readonly CheckedFinding[]): string[] {
  if (findings.length === 0) return ['Nothing was found wrong.'];
  const counts = (['problem', 'warning', 'note'] as const)
    .map((severity) => [severity, findings.filter((one) => one.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => formatCount(count, severity));
  const grave = findings.filter((one) => one.severity !== 'note');
  const lines = findings.flatMap((one) => {
    const first = `${one.severity === 'problem' ? 'PROBLEM' : one.severity}  ${one.check}: ${one.what}`;
    const at = grave.indexOf(one);
    if (at < 0 || at >= IN_FULL) return [first];
    return [first, `  so ${one.consequence}`, ...(one.remedy === null ? [] : [`  ${one.remedy}`])];
  });
  const isShort = findings.length > Math.min(grave.length, IN_FULL);
  return [
    `${counts.join(', ')}, the worst first${isShort ? '; with all consequences and remedies: docket doctor --json' : ''}`,
    '',
    ...lines.map((line) => printable(line.replace(/\s*\n\s*/g, ' '))),
  ];
}
