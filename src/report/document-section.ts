import { disputedBadge } from './disputed-badge.ts';
import type { ReportDocument } from './document.ts';
import { markup } from './html.ts';
import type { Html } from './html.ts';
import { formatBytes, formatPercent, formatTime } from './measures.ts';
import { pageFigure } from './page-figure.ts';
import { signatureTable } from './signature-table.ts';
import { signingBadge } from './signing-badge.ts';
import { stateBadge } from './state-badge.ts';
import { timelineTable } from './timeline-table.ts';

/** One document: facts, the failure if there is one, its pages, and what happened to it. */
export async function* documentSection(document: ReportDocument, index: number): AsyncGenerator<Html> {
  yield markup`
    <article id="d${index}" aria-labelledby="d${index}-name">
    <header>
      <h2 id="d${index}-name">${document.file}</h2>
      ${stateBadge(document.state)}${disputedBadge(document.isDisputed)}${signingBadge(document.standing)}<a class="up" href="#top">to the summary</a>
    </header>
    <p class="note ${document.standing === 'signed' ? 'good' : 'received'}"><bdi>${document.statement}</bdi></p>
    ${document.failure && failureNote(document.failure)}
    ${document.duplicateOf && markup`<p class="note same">The same bytes had been delivered as <strong>${document.duplicateOf}</strong>. This delivery is recorded beside the first; nothing was read twice.</p>`}
    ${facts(document)}
    ${signatureTable(document.signatures, document.file)}`;
  for await (const page of document.pages()) yield pageFigure(page, document);
  yield markup`${timelineTable(document.timeline, document.file)}</article>`;
}

function failureNote(failure: NonNullable<ReportDocument['failure']>): Html {
  return markup`<div class="note bad">
    <p><code>${failure.code}</code> ${failure.meaning}</p>
    ${failure.message && markup`<p class="said"><bdi>${failure.message}</bdi></p>`}
    <p><strong>What to do:</strong> ${failure.remedy}</p>
  </div>`;
}

function facts(document: ReportDocument): Html {
  const { reading, claimedSha256, stated, receipt } = document;
  const hash = (value: string): Html => markup`<code class="hash whole">${value}</code>`;
  const rows: [name: string, value: Html | string | undefined | false][] = [
    ['SHA-256 of the bytes received', hash(document.sha256)],
    ['SHA-256 the sender stated', claimedSha256 !== undefined && hash(claimedSha256)],
    ['Sender and kind', `${document.source}, ${document.kind}`],
    ['Captured, as stated by the sender', `${formatTime(stated.capturedAt)} UTC`],
    ['Signer, as stated by the sender', stated.signer],
    [
      'Receipt',
      receipt &&
        markup`<code>${receipt.outcome}</code>${receipt.code && markup` <code>${receipt.code}</code>`}, ${formatTime(receipt.issuedAt)} UTC`,
    ],
    ['Format', `${document.mediaType}, ${formatBytes(document.sizeBytes)}`],
    ['Confidence', document.confidence !== null && formatPercent(document.confidence)],
    ['Read by', reading && markup`${reading.engine}, configuration ${hash(reading.configSha256)}`],
    ['Salted hash of the result', reading?.resultSha256 !== undefined && hash(reading.resultSha256)],
    ['Job', markup`<code>${document.jobId}</code>`],
  ];
  const shown = rows.filter(([, value]) => value);
  return markup`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        markup`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
