import {
  inPercent,
  totalsByKind,
  worstFirst,
  type Judgement,
  type TriedDocument,
  type Verdict,
} from '../../domain/comparison/judge-trial.ts';
import { textDiffers, trialTotals, type TrialTotals } from '../../domain/comparison/trial-totals.ts';
import { footer, opening, type ReportOptions } from '../frame.ts';
import { markup } from '../html.ts';
import type { Html } from '../html.ts';
import { inWords } from '../in-words.ts';
import { formatCount } from '../measures.ts';
import { differenceMap } from './difference-map.ts';

/** A trial as its page tells of it. */
export interface ReportedTrial {
  readonly trial: number;
  readonly version: number;
  readonly reason: string;
  readonly startedBy: string;
  /** ISO 8601, or as PostgreSQL writes it. */
  readonly startedAt: string;
  readonly documents: readonly TriedDocument[];
  readonly judgement: Judgement;
}

/** So many documents have their pages drawn, the worst; the others are in the tables. */
export const MOST_DRAWN = 100;

const TONES: Record<Verdict, string> = {
  under_way: 'received',
  nothing: 'received',
  worse: 'bad',
  looks_worse: 'bad',
  same: 'good',
  differs: 'same',
  looks_better: 'good',
};

/** One self-contained page on a trial: the verdict, counts by kind and document, and maps of where words differ, without a word. */
export function trialPage(trial: ReportedTrial, options: ReportOptions): string {
  const { judgement, documents, version } = trial;
  const ordered = worstFirst(documents);
  const drawn = ordered
    .filter(({ compared }) => compared?.pages.some(({ differs }) => differs.length > 0))
    .slice(0, MOST_DRAWN);
  const places = new Map(drawn.map(({ jobId }, at) => [jobId, `d${at}`]));
  return markup`${opening(options)}
    <section aria-labelledby="summary">
      <h2 id="summary">OCR configuration ${version}, compared with what is published</h2>
      <div class="note ${TONES[judgement.verdict]}"><p>${judgement.statement}</p></div>
      <p>Trial ${trial.trial}, begun <time>${trial.startedAt}</time> by ${trial.startedBy}: <bdi>${trial.reason}</bdi>. Nothing that is published has changed.</p>
      ${tiles(judgement.totals)}
      <h3>By kind of document</h3>
      ${kindTable(documents)}
      <h3>By document<small>the worst first</small></h3>
      ${documentTable(ordered, places)}
    </section>
    ${drawn.map((document) => documentMaps(document, places.get(document.jobId) ?? ''))}
    ${footer(options, NOTES)}`.markup;
}

const NOTES = markup`<p><span class="key c">A box</span> is where a word stands that only one of both readings has. Words themselves are not in this page: docket text JOB, or a bundle.</p>
<p>Text differs: characters to insert, delete and replace, of those that are published, whatever the order of words. Fields: words of four and more characters with a digit. Time: of this reading over that of the published one.</p>`;

function tiles(totals: TrialTotals): Html {
  const lost = totals.fieldsBefore - totals.fieldsKept;
  const shown: [label: string, value: string, tone: string][] = [
    ['compared', String(totals.documents), ''],
    ['would fail', String(totals.failing), totals.failing > 0 ? 'bad' : 'good'],
    ['text differs', inPercent(textDiffers(totals)), totals.characterEdits > 0 ? 'same' : 'good'],
    ['fields differ', String(lost), lost > 0 ? 'same' : 'good'],
    ['confidence was', totals.confidenceBefore.toFixed(1), ''],
    ['confidence is', totals.confidenceAfter.toFixed(1), ''],
    ...(totals.timeRatio === null
      ? []
      : [['times as long', totals.timeRatio.toFixed(2), ''] as [string, string, string]]),
  ];
  return markup`<dl class="tiles">${shown.map(
    ([label, value, tone]) => markup`<div class="tile ${tone}"><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

const HEADS = ['Pages', 'Text differs', 'Words kept', 'Fields kept', 'Confidence', 'Time'];

function table(label: string, first: readonly string[], rows: readonly Html[]): Html {
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead><tr>${first.map((head) => markup`<th scope="col">${head}</th>`)}${HEADS.map((head) => markup`<th scope="col" class="number">${head}</th>`)}<th scope="col">Would fail</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

function countCells(of: TrialTotals): Html {
  const pages =
    of.pagesBefore === of.pagesAfter ? String(of.pagesAfter) : `${of.pagesBefore} → ${of.pagesAfter}`;
  const cells = [
    pages,
    inPercent(textDiffers(of)),
    of.wordsBefore === 0 ? '–' : inPercent(of.wordsKept / of.wordsBefore),
    `${of.fieldsKept}/${of.fieldsBefore}`,
    `${of.confidenceBefore.toFixed(1)} → ${of.confidenceAfter.toFixed(1)}`,
    of.timeRatio === null ? '–' : `× ${of.timeRatio.toFixed(2)}`,
  ];
  const gates = Object.entries(of.failedGates).map(([code, times]) =>
    of.documents > 1 ? `${code} ${times}` : code,
  );
  return markup`${cells.map((cell) => markup`<td class="number">${cell}</td>`)}<td>${gates.map((gate) => markup`<span class="badge bad">${gate}</span> `)}</td>`;
}

function kindTable(documents: readonly TriedDocument[]): Html {
  const rows = totalsByKind(documents).map(([kind, totals]) => {
    return markup`<tr><th scope="row">${inWords(kind)}</th><td class="number">${totals.documents}</td>${countCells(totals)}</tr>`;
  });
  return table('By kind of document', ['Kind', 'Documents'], rows);
}

function documentTable(documents: readonly TriedDocument[], places: ReadonlyMap<string, string>): Html {
  const rows = documents.map(({ jobId, kind, compared, outcome, code }) => {
    const place = places.get(jobId);
    const name = markup`<code>${jobId}</code>`;
    return markup`<tr>
      <th scope="row">${place === undefined ? name : markup`<a href="#${place}">${name}</a>`}</th><td>${inWords(kind)}</td>
      ${compared ? countCells(trialTotals([compared])) : markup`<td colspan="7">${outcome ?? 'waits'} ${code && markup`<code>${code}</code>`}</td>`}
    </tr>`;
  });
  return table('By document', ['Document', 'Kind'], rows);
}

function documentMaps({ jobId, kind, compared }: TriedDocument, place: string): Html {
  const pages = (compared?.pages ?? []).filter(({ differs }) => differs.length > 0);
  const equal = (compared?.pages.length ?? 0) - pages.length;
  return markup`<article id="${place}" aria-labelledby="${place}-name">
    <header>
      <h2 id="${place}-name"><code>${jobId}</code></h2>
      <span class="badge received">${inWords(kind)}</span>${(compared?.failedGates ?? []).map((gate) => markup`<span class="badge bad">${gate}</span>`)}<a class="up" href="#top">to the summary</a>
    </header>
    <div class="maps">${pages.map((page) => differenceMap(page))}</div>
    ${equal > 0 && markup`<p class="verdict">${formatCount(equal, 'page')} more without a map.</p>`}
  </article>`;
}
