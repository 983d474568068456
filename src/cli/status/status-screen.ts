import { ageWords } from '../age-words.ts';
import { plainTime } from '../iso-time.ts';
import { printable } from '../printable.ts';
import { sealingLine } from '../sealing-facts.ts';
import { beside, wrapText } from '../terminal/fit-text.ts';
import type { Medium } from '../terminal/paint.ts';
import { textTable } from '../text-table.ts';
import { ocrLine } from './ocr-standing.ts';
import type { ServiceLevels, StageAge } from './service-levels.ts';
import type { StatusFacts } from './status-facts.ts';
import type { Trouble } from './trouble.ts';
import { countedTroubles } from './trouble.ts';
import { troubleLines } from './trouble-lines.ts';
import { workersLine } from './worker-slots.ts';

/** What one look at a terminal takes in. */
const SCREEN_LINES = 40;
/** Codes that are named; the others are summed. */
const MOST_CODES = 5;

/** All of it on one screen: what is wrong, the worst first, then how things stand. */
export function statusScreen(facts: StatusFacts, troubles: readonly Trouble[], medium: Medium): string {
  const standing = standingLines(facts, medium);
  const room = SCREEN_LINES - standing.length - 3;
  return [
    headline(facts, troubles, medium),
    '',
    ...fitting(troubles, room, medium),
    ...(troubles.length === 0 ? [] : ['']),
    ...standing,
  ].join('\n');
}

function headline({ at }: StatusFacts, troubles: readonly Trouble[], { paint }: Medium): string {
  const when = `Docket at ${plainTime(at)}:`;
  if (troubles.length === 0) return `${when} ${paint(['bold', 'green'], 'nothing is wrong.')}`;
  const counted = `${countedTroubles(troubles)}${troubles.length === 1 ? '.' : ', the worst first.'}`;
  return `${when} ${paint('bold', counted)}`;
}

/** As many as there is room for, and at least the worst; how many more there are. */
function fitting(troubles: readonly Trouble[], room: number, medium: Medium): string[] {
  const lines: string[] = [];
  for (const [at, trouble] of troubles.entries()) {
    const more = troubles.length - at;
    const told = troubleLines(trouble, medium);
    // The line that counts the others takes one, unless this is the last.
    if (at > 0 && lines.length + told.length + (more > 1 ? 1 : 0) > room) {
      return [...lines, `         and ${more} more: docket status --json`];
    }
    lines.push(...told);
  }
  return lines;
}

function standingLines(facts: StatusFacts, { columns, paint }: Medium): string[] {
  const { states, levels, workers, ocr, sealing, deliveries } = facts;
  const stateTable = textTable(
    ['state', 'documents', 'oldest'],
    states.map((row) => [
      row.state,
      row.documents,
      row.oldest_seconds === null || row.documents === 0 ? '' : ageWords(row.oldest_seconds),
    ]),
  ).split('\n');
  const codeTable = quarantineTable(facts);
  const [heading = '', ...rows] = codeTable.length === 0 ? stateTable : beside(stateTable, codeTable);
  const [laneHeading = '', ...laneRows] = laneTable(levels);
  const untold = levels.ages.find(({ measure, lane }) => measure === 'untold' && lane === null);
  const lines = [
    ...(workers.length === 0 ? [] : [workersLine(workers)]),
    ocrLine(ocr),
    (sealingLine(sealing).split('\n')[0] ?? '') + placesWords(facts),
    `Deliveries: ${deliveries}.` +
      (untold
        ? ` To be told to their senders: ${untold.documents ?? 'more than 10000'}, the oldest for ${ageWords(untold.oldest_seconds)}.`
        : ''),
  ];
  return [
    paint('dim', heading),
    ...rows,
    '',
    paint('dim', laneHeading),
    ...laneRows,
    '',
    ...lines.flatMap((line) =>
      wrapText(printable(shortTimes(line)), columns - 2).map((part, at) => (at === 0 ? part : `  ${part}`)),
    ),
  ];
}

function quarantineTable({ quarantined }: StatusFacts): string[] {
  if (quarantined.length === 0) return [];
  const sum = (rows: StatusFacts['quarantined'], key: 'documents' | 'last_hour') =>
    rows.reduce((total, row) => total + row[key], 0);
  const [named, others] =
    quarantined.length <= MOST_CODES
      ? [quarantined, []]
      : [quarantined.slice(0, MOST_CODES - 1), quarantined.slice(MOST_CODES - 1)];
  return textTable(
    ['quarantined for', 'documents', 'last hour'],
    [
      ...named.map((row) => [row.code ?? 'no code', row.documents, row.last_hour] as const),
      ...(others.length === 0
        ? []
        : [[`${others.length} other codes`, sum(others, 'documents'), sum(others, 'last_hour')] as const]),
    ],
  ).split('\n');
}

/** Stages of a lane: how many, and how old the oldest is; how long documents took; and what is promised of waiting. */
function laneTable({ lanes, slos, ages, published }: ServiceLevels): string[] {
  const at = (measure: string, lane: string) => {
    const age = ages.find((one) => one.measure === measure && one.lane === lane);
    return age ? countAndAge(age) : '-';
  };
  const promised = (lane: string) => {
    const level = slos.find((one) => one.measure === 'undeferred' && one.lane === lane);
    const words = [level?.warning, level?.breach].map((seconds) =>
      seconds === null || seconds === undefined ? '-' : ageWords(seconds),
    );
    return level ? words.join(' / ') : '-';
  };
  return textTable(
    ['lane', 'waiting', 'not held', 'admitted', 'running', 'unpublished', '95 % took', 'warn / breach'],
    lanes.map((lane) => {
      const took = published.find((one) => one.lane === lane);
      return [
        lane,
        ...['waiting', 'undeferred', 'admitted', 'running', 'unpublished'].map((measure) =>
          at(measure, lane),
        ),
        took ? ageWords(took.p95_seconds) : '-',
        promised(lane),
      ];
    }),
  ).split('\n');
}

/** `12, 3 s`. */
export function countAndAge({
  documents,
  oldest_seconds,
}: Pick<StageAge, 'documents' | 'oldest_seconds'>): string {
  return `${documents ?? 'many'}, ${ageWords(oldest_seconds)}`;
}

function placesWords({ places }: StatusFacts): string {
  const kept = places.filter(({ size }) => size !== null);
  if (kept.length === 0) return '';
  const counts = (['file', 'bucket', 'witness'] as const)
    .map((kind) => ({ kind, count: kept.filter((place) => place.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${PLURALS[kind][count === 1 ? 0 : 1]}`);
  return ` Copies are kept in ${counts.join(', ')}.`;
}

const PLURALS = {
  file: ['file', 'files'],
  bucket: ['bucket', 'buckets'],
  witness: ['witness', 'witnesses'],
} as const;

/** Without fractions of seconds, which nobody reads. */
function shortTimes(text: string): string {
  return text.replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z/g, '$1 $2Z');
}
