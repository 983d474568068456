import { ageWords } from '../age-words.ts';
import { plainTime } from '../iso-time.ts';
import { printable } from '../printable.ts';
import { countAndAge } from '../status/status-screen.ts';
import { countedTroubles } from '../status/trouble.ts';
import { troubleLines } from '../status/trouble-lines.ts';
import type { PoolSlots } from '../status/worker-slots.ts';
import { fleetSlots } from '../status/worker-slots.ts';
import { atBothEnds, cutText } from '../terminal/fit-text.ts';
import type { Medium } from '../terminal/paint.ts';
import { textTable } from '../text-table.ts';
import { aMinute } from './throughput.ts';
import type { Grouping, GroupRow, Stage, TopFacts } from './top-facts.ts';

/** A frame for so many rows; without them it takes what it needs. */
export interface TopMedium extends Medium {
  /** By what the stages are told. */
  readonly by: Grouping;
  readonly rows?: number | undefined;
}

/** What is told beside the facts. */
export interface TopNotes {
  /** Deliveries a minute, where two looks were taken. */
  readonly delivered?: string | undefined;
  /** Why the facts are not of now, and what to do: a line each. */
  readonly trouble?: readonly string[] | undefined;
  /** The keys that do something; undefined where nobody can press any. */
  readonly keys?: string | undefined;
}

const MOST_TROUBLES = 3;
const HEADINGS = ['waiting', 'not held', 'admitted', 'running', 'unpublished'] as const;
const STAGES = ['waiting', 'undeferred', 'admitted', 'running', 'unpublished'] as const;
const PLURALS: Readonly<Record<Grouping, string>> = { lane: 'lanes', source: 'sources', kind: 'kinds' };

/** A frame: lines of at most `columns`, and at most `rows` of them; what is told last gives way. */
export function topFrame(facts: TopFacts, medium: TopMedium, notes: TopNotes = {}): string[] {
  const { columns, rows = Infinity, paint, by } = medium;
  const blocks = [
    troubleBlock(facts, medium),
    table(medium, [by, ...HEADINGS], facts.groups[by].slice(0, MOST_GROUPS).map(groupCells)),
    workerBlock(facts, medium),
    by === 'source'
      ? []
      : table(
          medium,
          ['source, the oldest first', ...HEADINGS],
          facts.groups.source.slice(0, MOST_SOURCES).map(groupCells),
        ),
    runningBlock(facts, medium),
  ].filter((block) => block.length > 0);
  const head = headLines(facts, medium, notes);
  const foot = notes.keys === undefined ? [] : [paint('dim', cutText(notes.keys, columns))];
  let room = rows - head.length - foot.length;
  const body: string[] = [];
  for (const block of blocks) {
    // A heading without what stands under it tells nothing.
    if (room < 3) break;
    const told = ['', ...block].slice(0, room);
    body.push(...told);
    room -= told.length;
  }
  const gap = rows === Infinity ? [] : Array<string>(Math.max(room, 0)).fill('');
  return [...head, ...body, ...(foot.length === 0 ? [] : gap), ...foot].slice(0, rows);
}

const MOST_GROUPS = 20;
const MOST_SOURCES = 10;

function headLines(facts: TopFacts, { columns, paint, by }: TopMedium, notes: TopNotes): string[] {
  const { at, throughput, workers, running_count } = facts;
  const slots = fleetSlots(workers);
  const title = `Docket ${plainTime(at)}, by ${PLURALS[by]}`;
  const hosts = new Set(workers.map(({ host }) => host)).size;
  const fleet = `${counted(workers.length, 'worker')} on ${counted(hosts, 'host')}, ${counted(running_count, 'attempt')} under way`;
  const rate = [
    ...(notes.delivered === undefined ? [] : [`${notes.delivered} delivered`]),
    `${aMinute(throughput.published, throughput)} published`,
    `${aMinute(throughput.quarantined, throughput)} quarantined`,
  ].join(', ');
  const took = throughput.p95_seconds === null ? '' : `; 95 % took ${ageWords(throughput.p95_seconds)}`;
  const used = slots.map((slot) => `${slot.pool} ${slotCell(slot)}`).join('  ');
  return [
    ...atBothEnds(title, fleet, columns).map((line, number) =>
      number === 0 ? paint('bold', cutText(line, columns)) : cutText(line, columns),
    ),
    ...atBothEnds(`A minute: ${rate}${took}`, used, columns).map((line) => cutText(line, columns)),
    ...(notes.trouble ?? []).map((line) => paint(['bold', 'red'], cutText(printable(line), columns))),
  ];
}

function troubleBlock({ troubles }: TopFacts, medium: TopMedium): string[] {
  if (troubles.length === 0) return [];
  const told = troubles.slice(0, MOST_TROUBLES).flatMap((trouble) => troubleLines(trouble, medium));
  if (troubles.length <= MOST_TROUBLES) return told;
  return [...told, `         ${countedTroubles(troubles)} in all: docket status`];
}

function groupCells({ name, stages }: GroupRow): string[] {
  return [name, ...STAGES.map((stage) => stageCell(stages[stage]))];
}

function stageCell(stage: Stage | undefined): string {
  return stage ? countAndAge(stage) : '-';
}

function workerBlock({ workers }: TopFacts, medium: TopMedium): string[] {
  const pools = fleetSlots(workers).map(({ pool }) => pool);
  const rows = workers.map(({ host, pid, version, since, slots }) => [
    `${host}/${pid}`,
    version ?? '',
    `${since.slice(0, 16).replace('T', ' ')}Z`,
    ...pools.map((pool) => {
      const own = slots.find((one) => one.pool === pool);
      return own ? slotCell(own) : '';
    }),
    slots.flatMap(({ pool, held_back }) => (held_back === null ? [] : [`${pool}: ${held_back}`])).join(', '),
  ]);
  const isHeld = rows.some((row) => row.at(-1) !== '');
  const headings = ['worker', 'version', 'since', ...pools, ...(isHeld ? ['held back by'] : [])];
  return table(
    medium,
    headings,
    rows.slice(0, MOST_WORKERS).map((row) => row.slice(0, headings.length)),
  );
}

const MOST_WORKERS = 10;

/** At work of those that it may have. */
function slotCell({ busy, granted }: PoolSlots): string {
  return `${busy ?? '-'}/${granted}`;
}

function runningBlock({ running }: TopFacts, medium: TopMedium): string[] {
  return table(
    medium,
    ['under way', 'for', 'left', 'task', 'attempt', 'pages', 'kind', 'worker', 'lane', 'source'],
    running.map((one) => [
      one.job_id,
      ageWords(one.seconds),
      one.seconds_left < 0 ? 'over' : ageWords(one.seconds_left),
      one.task,
      one.attempt,
      one.pages === null ? null : Math.ceil(one.pages),
      one.document_kind,
      one.host === null ? null : `${one.host}/${one.pid ?? ''}`,
      one.lane,
      one.source_id,
    ]),
  );
}

/** A table with a dim heading, cut off where the line ends; without rows there is none. */
function table(
  { columns, paint }: TopMedium,
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] {
  if (rows.length === 0) return [];
  const [heading = '', ...lines] = textTable(headings, rows)
    .split('\n')
    .map((line) => cutText(line, columns));
  return [paint('dim', heading), ...lines];
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
