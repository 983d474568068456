import type { EvidencePacket } from '../../domain/packet-hash.ts';
import type { BundledEvent } from '../check-events.ts';
import type { BundledReport } from '../check-evidence.ts';
import { isRecord } from '../json-value.ts';
import type { HashedResult } from '../result-bytes.ts';
import type { VerifiedDocument } from '../verify-document.ts';
import { element } from './element.ts';
import { sign, stepsView } from './steps-view.ts';

/** A document of a bundle: whether it holds, each step, what senders stated, what happened, and the text. */
export function documentView(document: VerifiedDocument): HTMLElement {
  const { jobId, sha256, state, steps, events, packets, reports, result, superseded } = document;
  const isGood = steps.every(({ ok }) => ok !== false);
  return element(
    'article',
    { 'aria-label': `Document ${jobId}` },
    element('h3', {}, sign(isGood ? 'good' : 'bad'), `Document ${jobId}`),
    element(
      'dl',
      { class: 'facts' },
      ...fact('SHA-256', element('code', {}, sha256)),
      ...fact('State', state.replaceAll('_', ' ')),
      ...fact('As of event', `${events.length}; what may have come after it is not here`),
    ),
    element('h4', {}, 'Recomputed'),
    stepsView(steps),
    part('Stated by the sender', 'Kept to the letter; nobody checked whether it is so.', [
      ...Array.from(packets.values(), packetView),
    ]),
    part(
      'Signatures, as Docket found them',
      'Judged when the document came, and recorded then.',
      reports.map(reportView),
    ),
    part('Timeline', 'As the log has it, times in UTC.', events.length > 0 ? [timelineView(events)] : []),
    part('Text', 'As it was recognised; no person compared it with the paper.', pagesView(result)),
    ...superseded.map((one) =>
      part(
        `Superseded text, published as event ${String(one.published.seq)}`,
        `It was the text of the document from ${timeOf(one.published.atMicros)} until ${timeOf(one.superseded.atMicros)}.`,
        pagesView(one.result),
      ),
    ),
  );
}

function pagesView(result: HashedResult | undefined): HTMLElement[] {
  return (result?.pages ?? []).map((page) =>
    element('pre', { tabindex: '0', 'aria-label': `Page ${page.pageNo}` }, ...linesOf(page.text)),
  );
}

function part(title: string, meaning: string, contents: readonly HTMLElement[]): HTMLElement | false {
  if (contents.length === 0) return false;
  return element(
    'details',
    { class: 'part' },
    element('summary', {}, element('b', {}, title)),
    element('p', { class: 'remark' }, meaning),
    ...contents,
  );
}

function fact(name: string, value: string | HTMLElement | null): HTMLElement[] {
  return value === null ? [] : [element('dt', {}, name), element('dd', {}, value)];
}

function packetView(packet: EvidencePacket): HTMLElement {
  const { documentDateDays: days, scanNumber } = packet;
  return element(
    'dl',
    { class: 'facts' },
    ...fact('Source', packet.sourceId),
    ...fact('Kind', packet.documentKind.replaceAll('_', ' ')),
    ...fact('Captured', timeOf(packet.capturedAtMicros)),
    ...fact('Date on the paper', days === null ? null : timeOf(BigInt(days) * 86_400_000_000n).slice(0, 10)),
    ...fact('Scan number', scanNumber === null ? null : String(scanNumber)),
    ...fact('Signer of the paper', packet.signer === '{}' ? null : packet.signer),
    ...fact('Received (by the clock of Docket)', timeOf(packet.receivedAtMicros)),
  );
}

function reportView({ signatures }: BundledReport): HTMLElement {
  const found = signatures.map(({ place, report, judgedAtMicros }) => {
    const { status, coverage, signer } = recordOf(report);
    const words = [status, coverage, signer].filter((one) => typeof one === 'string').join(', ');
    return element('li', {}, `${place}: ${words.replaceAll('_', ' ')}; judged for ${timeOf(judgedAtMicros)}`);
  });
  return found.length > 0 ? element('ul', { class: 'plain' }, ...found) : element('p', {}, 'None was found.');
}

/** The object that a text of JSON is; an empty one where it is none. */
function recordOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function timelineView(events: readonly BundledEvent[]): HTMLElement {
  const heads = ['', 'Time', 'Event', 'State', 'By', 'Why'].map((head) =>
    element('th', { scope: 'col' }, head),
  );
  const rows = events.map((event) =>
    element(
      'tr',
      {},
      element('td', {}, String(event.seq)),
      element('td', {}, timeOf(event.atMicros)),
      element('th', { scope: 'row' }, event.event.replaceAll('_', ' ')),
      element('td', {}, event.toState.replaceAll('_', ' ')),
      element('td', {}, event.actor),
      element('td', {}, [event.code, event.reason].filter((word) => word !== null && word !== '').join(': ')),
    ),
  );
  return element(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Timeline' },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows)),
  );
}

/** Each line is shown safely by itself; their breaks stay. */
function linesOf(text: string): HTMLElement[] {
  return text.split('\n').map((line) => element('span', { class: 'line' }, line));
}

const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Microseconds since 2000-01-01 as a time in UTC, to the millisecond. */
function timeOf(micros: bigint): string {
  const time = new Date(Number(micros / 1000n) + EPOCH_MS);
  if (Number.isNaN(time.getTime())) return 'without end';
  return time.toISOString().replace('T', ' ').replace('Z', '').replace('.000', '');
}
