import { disputedBadge } from './disputed-badge.ts';
import type { ReportDocument } from './document.ts';
import { markup } from './html.ts';
import type { Html } from './html.ts';
import { formatPercent } from './measures.ts';
import { signingBadge } from './signing-badge.ts';
import { stateBadge } from './state-badge.ts';

/** Totals and a table with one line a document. */
export function summary(documents: readonly ReportDocument[]): Html {
  const count = (state: string): number => documents.filter((document) => document.state === state).length;
  const jobs = distinctJobs(documents);
  const events = jobs.flatMap((job) => job.timeline);
  const broken = jobs.filter((job) => job.timeline.some((event) => !event.chainOk)).length;
  const others = documents.length - count('published') - count('quarantined') - count('duplicate');
  const tiles: [label: string, value: number | string, tone: string][] = [
    ['delivered', documents.length, ''],
    ['published', count('published'), 'good'],
    ['quarantined', count('quarantined'), 'bad'],
    ['duplicates', count('duplicate'), 'same'],
    [
      'pages read',
      jobs.filter((job) => job.state === 'published').reduce((sum, job) => sum + job.pageCount, 0),
      '',
    ],
    ['events', events.length, ''],
    ['chains intact', `${jobs.length - broken}/${jobs.length}`, broken === 0 ? 'good' : 'bad'],
  ];
  if (others > 0) tiles.splice(4, 0, ['still open', others, 'open']);
  const signed = jobs.filter((job) => job.standing === 'signed').length;
  if (signed > 0) tiles.splice(2, 0, ['signed', signed, 'good']);
  return markup` <section aria-labelledby="summary">
    <h2 id="summary" class="unseen">Summary</h2>
    <dl class="tiles">
      ${tiles.map(
        ([label, value, tone]) =>
          markup`<div class="tile ${tone}">
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <div class="wide" tabindex="0" role="region" aria-label="All documents">
      <table class="overview">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">State</th>
            <th scope="col">Signature</th>
            <th scope="col" class="number">Pages</th>
            <th scope="col" class="number">Confidence</th>
            <th scope="col">First words</th>
            <th scope="col">SHA-256 received</th>
          </tr>
        </thead>
        <tbody>
          ${documents.map(summaryRow)}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** One delivery for each job, the one that was read if there is one: its pages and events count once. */
function distinctJobs(documents: readonly ReportDocument[]): ReportDocument[] {
  const jobs = new Map<string, ReportDocument>();
  for (const document of documents) {
    const known = jobs.get(document.jobId);
    if (known === undefined || known.state === 'duplicate') jobs.set(document.jobId, document);
  }
  return [...jobs.values()];
}

function summaryRow(document: ReportDocument, index: number): Html {
  const { failure, duplicateOf } = document;
  return markup`<tr>
    <th scope="row"><a href="#d${index}">${document.file}</a></th>
    <td>${stateBadge(document.state)}${disputedBadge(document.isDisputed)}${failure && markup` <code>${failure.code}</code>`}</td>
    <td>${signingBadge(document.standing)}</td>
    <td class="number">${document.pageCount > 0 ? document.pageCount : '–'}</td>
    <td class="number">${document.confidence === null ? '–' : formatPercent(document.confidence)}</td>
    <td class="words">
      ${duplicateOf ? markup`the bytes of ${duplicateOf}` : markup`<bdi>${document.firstWords}</bdi>`}
    </td>
    <td><code class="hash" title="${document.sha256}">${document.sha256.slice(0, 12)}…</code></td>
  </tr>`;
}
