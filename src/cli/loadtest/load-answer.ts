import { agesByClass } from '../../domain/loadtest/document-classes.ts';
import type { Knee } from '../../domain/loadtest/knee.ts';
import type { LevelMeasure } from '../../domain/loadtest/level.ts';
import { missingTime, othersBusy, pagesOf, pagesPerSecond } from '../../domain/loadtest/level.ts';
import { percentile } from '../../domain/loadtest/percentile.ts';
import type { Proposal } from '../../domain/loadtest/proposal.ts';
import type { LoadPlot } from '../../report/load-plot.ts';
import { formatCount } from '../../report/measures.ts';
import type { Answer } from '../answer.ts';
import { textTable } from '../text-table.ts';

/** All that came of a load test. */
export interface LoadResult {
  readonly cores: number;
  readonly hosts: number;
  /** How many different ones were replayed, how many files are of no format that Docket reads, and where they lie. */
  readonly documents: number;
  readonly leftOut: number;
  readonly folder: string;
  readonly minutes: number;
  readonly levels: readonly LevelMeasure[];
  readonly knee: Knee;
  readonly atKnee: LevelMeasure;
  readonly proposal: Proposal;
  readonly plot: string | undefined;
  /** What was set, as the verbs that set it answer; undefined where nothing was to be. */
  readonly changes: readonly Answer[] | undefined;
}

/** From this share of the host on it is said that others used it. */
const BUSY = 0.1;

/** What a load test came to, for a person and a program. */
export function loadAnswer(result: LoadResult): Answer {
  const { cores, hosts, documents, leftOut, levels, knee, atKnee, proposal, plot, changes } = result;
  const commands = commandsOf(proposal);
  return {
    json: {
      cores,
      documents,
      left_out: leftOut,
      is_steady: missingTime(levels, documents) <= 1,
      levels: levels.map(levelJson),
      knee: { slots: knee.slots, height: rounded(knee.height), is_clear: knee.isClear },
      proposal: {
        hosts,
        slots: proposal.slots,
        window: proposal.window,
        pages_per_minute: proposal.pagesPerMinute,
        pages_burst: proposal.pagesBurst,
        expected_age_seconds: rounded(proposal.expectedAgeSeconds),
        slo_seconds: proposal.sloSeconds,
        commands,
      },
      changes: changes?.map(({ json }) => json) ?? [],
      plot: plot ?? null,
    },
    text: [
      levelTable(levels),
      '',
      `Documents at ${formatCount(atKnee.slots, 'slot')}, by pages and pixels an inch:`,
      classTable(atKnee),
      '',
      ...doubts(result),
      kneeSentence(result),
      ...levels.flatMap(({ slots, heldBack }) =>
        heldBack.length === 0
          ? []
          : [`With ${slots} slots, some stayed closed for want of ${heldBack.join(', ')}.`],
      ),
      `A document that these limits let in should be published within ${proposal.sloSeconds} s (95 % within ` +
        `${proposal.expectedAgeSeconds.toFixed(1)} s): that is the SLO to propose, and the undeferred age to be alerted at.`,
      `The window that Docket keeps by itself for a lane is then ${proposal.window} documents.`,
      ...(plot === undefined ? [] : [`The curve: ${plot}`]),
      '',
      ...(changes === undefined
        ? ['Set it, or run this again with --apply:', ...commands.map((command) => `  ${command}`)]
        : changes.map(({ text }) => text)),
    ].join('\n'),
  };
}

/** The curve of a load test, as it is drawn. */
export function loadPlotOf(result: Omit<LoadResult, 'plot' | 'changes'>, madeAt: Date): LoadPlot {
  const { cores, documents, folder, levels, knee } = result;
  const when = `${madeAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    title: 'Docket load test',
    subtitle: `${formatCount(cores, 'core')}; ${formatCount(documents, 'document')} of ${folder}, again and again; ${when}`,
    levels: levels.map((level) => ({
      slots: level.slots,
      pagesPerSecond: pagesPerSecond(level),
      p50: agePercentile(level, 50),
      p95: agePercentile(level, 95),
    })),
    knee: {
      slots: knee.slots,
      label: knee.isClear ? `knee: ${formatCount(knee.slots, 'slot')}` : 'no knee up to here',
    },
  };
}

/** What speaks against the figures. */
function doubts({ levels, documents, minutes }: LoadResult): string[] {
  const others = Math.max(0, ...levels.map((level) => othersBusy(level) ?? 0));
  const missing = missingTime(levels, documents);
  return [
    ...(others > BUSY
      ? [`Others used up to ${(100 * others).toFixed(0)} % of this host: measure it again when it is quiet.`]
      : []),
    ...(missing > 1
      ? [
          'Not every level has seen each of the documents, and twenty of them, so the figures are rough: ' +
            `--minutes ${Math.ceil(minutes * missing)} would do.`,
        ]
      : []),
  ];
}

function kneeSentence({ levels, knee, atKnee }: LoadResult): string {
  if (!knee.isClear) return `There is no knee up to ${knee.slots} slots: more may give more (--slots).`;
  const beyond = levels.filter(({ slots }) => slots > knee.slots).map(pagesPerSecond);
  const more = Math.max(0, ...beyond) / pagesPerSecond(atKnee) - 1;
  const gain = more > 0 ? `${(100 * more).toFixed(0)} % more pages at best` : 'no page more';
  return `The knee is at ${formatCount(knee.slots, 'slot')}: further ones bring ${gain}, and older documents.`;
}

function commandsOf({ slots, pagesPerMinute, pagesBurst }: Proposal): string[] {
  return [
    `docket pool set ocr --per-process ${slots} --reason '...'`,
    `docket limit set all --pages-per-minute ${pagesPerMinute} --pages-burst ${pagesBurst} --reason '...'`,
  ];
}

function levelTable(levels: readonly LevelMeasure[]): string {
  return textTable(
    [
      'slots',
      'pages/s',
      'CPU s/page',
      'host busy',
      'RSS MB',
      'age p50 s',
      'p95 s',
      'documents',
      'pages',
      'quarantined',
    ],
    levels.map((level) => [
      level.slots,
      pagesPerSecond(level).toFixed(2),
      perPage(level, level.cpuSeconds)?.toFixed(2) ?? '?',
      `${(100 * level.hostBusy).toFixed(0)} %`,
      level.residentMb?.toFixed(0) ?? '?',
      shown(agePercentile(level, 50)),
      shown(agePercentile(level, 95)),
      level.documents.length,
      pagesOf(level),
      level.quarantined,
    ]),
  );
}

function classTable(level: LevelMeasure): string {
  return textTable(
    ['pages', 'pixels/inch', 'documents', 's/page', 'age p50 s', 'p95 s'],
    agesByClass(level.documents).map((one) => [
      one.pages,
      one.resolution,
      one.documents,
      one.secondsPerPage.toFixed(2),
      shown(one.p50),
      shown(one.p95),
    ]),
  );
}

function levelJson(level: LevelMeasure) {
  return {
    slots: level.slots,
    seconds: rounded(level.seconds),
    documents: level.documents.length,
    pages: pagesOf(level),
    quarantined: level.quarantined,
    pages_per_second: rounded(pagesPerSecond(level)),
    cpu_seconds_per_page: orNull(perPage(level, level.cpuSeconds)),
    database_cpu_seconds_per_page: orNull(perPage(level, level.databaseCpuSeconds)),
    host_busy: rounded(level.hostBusy),
    others_busy: orNull(othersBusy(level)),
    rss_mb: orNull(level.residentMb),
    largest_child_mb: orNull(level.largestChildMb),
    age_p50_seconds: orNull(agePercentile(level, 50)),
    age_p95_seconds: orNull(agePercentile(level, 95)),
    held_back: level.heldBack,
    classes: agesByClass(level.documents).map((one) => ({
      pages: one.pages,
      resolution: one.resolution,
      documents: one.documents,
      page_count: one.pageCount,
      seconds_per_page: rounded(one.secondsPerPage),
      age_p50_seconds: rounded(one.p50),
      age_p95_seconds: rounded(one.p95),
    })),
  };
}

function agePercentile({ documents }: LevelMeasure, percent: number): number {
  return percentile(
    documents.map((one) => one.ageSeconds),
    percent,
  );
}

function perPage(level: LevelMeasure, seconds: number | undefined): number | undefined {
  const pages = pagesOf(level);
  return seconds === undefined || pages === 0 ? undefined : seconds / pages;
}

function shown(seconds: number): string {
  return Number.isNaN(seconds) ? '?' : seconds.toFixed(1);
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : rounded(value);
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
