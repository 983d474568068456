// The text: what the last event that published a result, or superseded one, says; else one that made it.
import { utf8 } from '../domain/utf8.ts';
import { hexOf } from './byte-reader.ts';
import type { BundledEvent } from './check-events.ts';
import type { DocumentCheck } from './document-check.ts';
import { textOf } from './json-value.ts';
import { readResult, type HashedResult } from './result-bytes.ts';
import { sha256Of } from './sha256.ts';
import { compared, readOr, unchecked, type About } from './step.ts';

/** A result that was published, and that another one superseded. */
export interface SupersededResult {
  /** The event that published it, and the one that superseded it. */
  readonly published: BundledEvent;
  readonly superseded: BundledEvent;
  /** Undefined where it is not in the bundle, or cannot be read. */
  readonly result: HashedResult | undefined;
}

/** The result that the events leave current, and those that it superseded, in their order. */
export function checkResults(
  check: DocumentCheck,
  events: readonly BundledEvent[],
  sha256: string,
): { result: HashedResult | undefined; superseded: SupersededResult[] } {
  const { jobId, steps, take } = check;
  const made = events.filter(
    ({ event, detail }) => event === 'extracted' && typeof detail['result_sha256'] === 'string',
  );
  const published = events.filter(({ event }) => event === 'published' || event === 'superseded');
  const superseded: SupersededResult[] = [];
  for (const [at, later] of published.entries()) {
    const earlier = published[at - 1];
    if (later.event === 'superseded') {
      steps.push(
        compared(
          [jobId, 'supersedes', itemOf(later)],
          textOf(later.detail['supersedes']),
          earlier ? resultOf(earlier) : 'a result that was published',
        ),
      );
    }
    if (!earlier) continue;
    const name = `results/${String(earlier.seq)}`;
    const files = { result: name, config: `${name}.ocr-config.json` };
    const result = checkResult(check, [earlier], sha256, files);
    superseded.push({ published: earlier, superseded: later, result });
  }
  const last = published.at(-1);
  const result = checkResult(check, last ? [last] : made, sha256, {
    result: 'result',
    config: 'ocr-config.json',
  });
  for (const { pageNo, text } of result?.pages ?? []) {
    const about: About = [jobId, 'text', `page ${String(pageNo)}`];
    const page = readOr(about, steps, () =>
      utf8(take(`text/page-${String(pageNo)}.txt`) ?? new Uint8Array()),
    );
    if (page !== undefined) steps.push(compared(about, page, text));
  }
  return { result, superseded };
}

/** A result of the bundle against the events that may name it. */
function checkResult(
  { jobId, steps, take }: DocumentCheck,
  naming: readonly BundledEvent[],
  sha256: string,
  names: { result: string; config: string },
): HashedResult | undefined {
  const last = naming.at(-1);
  if (!last) return undefined;
  const about: About = [jobId, 'result', itemOf(last)];
  const file = take(names.result);
  if (!file) {
    steps.push(unchecked(about, 'it is not in the bundle'));
    return undefined;
  }
  const computed = sha256Of(file);
  const named = naming.map(resultOf);
  steps.push(compared(about, computed, named.includes(computed) ? computed : named.join(' or ')));
  const result = readOr(about, steps, () => readResult(file));
  if (!result) return undefined;
  const config = take(names.config);
  steps.push(
    compared([jobId, 'result of this scan', names.result], hexOf(result.sha256), sha256),
    compared(
      [jobId, 'configuration', names.config],
      config ? sha256Of(config) : 'none',
      hexOf(result.configSha256),
    ),
  );
  return result;
}

function resultOf({ detail }: BundledEvent): string {
  return textOf(detail['result_sha256']);
}

function itemOf({ seq, event }: BundledEvent): string {
  return `event ${String(seq)} ${event}`;
}
