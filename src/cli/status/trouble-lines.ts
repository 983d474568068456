import { ageWords } from '../age-words.ts';
import { printable } from '../printable.ts';
import type { Look, Medium } from '../terminal/paint.ts';
import { atBothEnds, wrapText } from '../terminal/fit-text.ts';
import type { Severity, Trouble } from './trouble.ts';

const LABELS: Readonly<Record<Severity, readonly [label: string, look: Look]>> = {
  alert: ['ALERT', 'red'],
  warning: ['WARNING', 'yellow'],
  notice: ['NOTICE', 'cyan'],
};
/** As wide as the longest label, and two columns apart. */
const INDENT = 9;
/** A trouble that takes more lines is told in full by its next command. */
const MOST_LINES = 3;

/** A trouble for a person: what, and below it the next command with since when. */
export function troubleLines(
  { severity, what, why, since, seconds, next_command }: Trouble,
  medium: Medium,
): string[] {
  const { columns, paint } = medium;
  const [label, look] = LABELS[severity];
  const width = columns - INDENT;
  const wrapped = wrapText(
    printable(why === undefined || what.includes(why) ? what : `${what} ${why}`),
    width,
  );
  const told =
    wrapped.length > MOST_LINES
      ? [...wrapped.slice(0, MOST_LINES - 1), `${(wrapped[MOST_LINES - 1] ?? '').slice(0, width - 2)} …`]
      : wrapped;
  const commands = wrapText(printable(`→ ${next_command}`), width);
  const last = commands.pop() ?? '';
  const when = since === null ? '' : sinceWords(since, seconds);
  const below = [...commands, ...atBothEnds(last, when, width)].map((line) =>
    when !== '' && line.endsWith(when) ? line.slice(0, -when.length) + paint('dim', when) : line,
  );
  const indent = ' '.repeat(INDENT);
  return [
    ...told.map((line, at) =>
      at === 0 ? paint(['bold', look], label.padEnd(INDENT)) + line : indent + line,
    ),
    ...below.map((line) => indent + line),
  ];
}

/** `since 05:01:22Z, 19 min`; with the date where it is not of the last twelve hours. */
function sinceWords(since: string, seconds: number | null): string {
  const [date = '', time = ''] = since.split('T');
  const clock = `${time.slice(0, 8)}Z`;
  const isToday = seconds !== null && seconds < 12 * 3600;
  return `since ${isToday ? clock : `${date} ${clock}`}${seconds === null ? '' : `, ${ageWords(seconds)}`}`;
}
