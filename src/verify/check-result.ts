// The text: what the event that published it, or else one that made it, says.
import { utf8 } from '../domain/utf8.ts';
import { hexOf } from './byte-reader.ts';
import type { BundledEvent } from './check-events.ts';
import type { DocumentCheck } from './document-check.ts';
import { textOf } from './json-value.ts';
import { readResult, type HashedResult } from './result-bytes.ts';
import { sha256Of } from './sha256.ts';
import { compared, readOr, unchecked, type About } from './step.ts';

export function checkResult(
  { jobId, steps, take }: DocumentCheck,
  events: readonly BundledEvent[],
  sha256: string,
): HashedResult | undefined {
  const made = events.filter(
    ({ event, detail }) => event === 'extracted' && typeof detail['result_sha256'] === 'string',
  );
  const published = events.findLast(({ event }) => event === 'published');
  const naming = published ? [published] : made;
  const last = naming.at(-1);
  if (!last) return undefined;
  const about: About = [jobId, 'result', `event ${String(last.seq)} ${last.event}`];
  const file = take('result');
  if (!file) {
    steps.push(unchecked(about, 'it is not in the bundle'));
    return undefined;
  }
  const computed = sha256Of(file);
  const named = naming.map(({ detail }) => textOf(detail['result_sha256']));
  steps.push(compared(about, computed, named.includes(computed) ? computed : named.join(' or ')));
  const result = readOr(about, steps, () => readResult(file));
  if (!result) return undefined;
  steps.push(compared([jobId, 'result of this scan', 'result'], hexOf(result.sha256), sha256));
  const config = take('ocr-config.json');
  steps.push(
    compared(
      [jobId, 'configuration', 'ocr-config.json'],
      config ? sha256Of(config) : 'none',
      hexOf(result.configSha256),
    ),
  );
  for (const { pageNo, text } of result.pages) {
    const aboutPage: About = [jobId, 'text', `page ${String(pageNo)}`];
    const page = readOr(aboutPage, steps, () =>
      utf8(take(`text/page-${String(pageNo)}.txt`) ?? new Uint8Array()),
    );
    if (page !== undefined) steps.push(compared(aboutPage, page, text));
  }
  return result;
}
