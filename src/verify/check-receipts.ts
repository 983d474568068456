// Receipts: that they are about this document, name its events, and are signed by a key that is trusted.
import { utf8 } from '../domain/utf8.ts';
import type { BundledEvent } from './check-events.ts';
import type { DocumentCheck } from './document-check.ts';
import { isRecord, textOf } from './json-value.ts';
import { compared, judged, readOr, unchecked, type About, type Step } from './step.ts';
import { readReceipt } from './verify-receipt.ts';

type Claims = Readonly<Record<string, unknown>>;

export function checkReceipts(
  { jobId, steps, take }: DocumentCheck,
  events: readonly BundledEvent[],
  { sha256, keys }: { sha256: string; keys: readonly Uint8Array[] },
): Claims[] {
  const file = take('receipts.jws');
  if (!file) return [];
  const about: About = [jobId, 'receipt', 'receipts.jws'];
  const text = readOr(about, steps, () => {
    const lines = utf8(file);
    if (!lines.endsWith('\n')) throw new SyntaxError('its last line does not end');
    return lines.slice(0, -1);
  });
  if (text === undefined) return [];
  return text.split('\n').flatMap((jws, at) => {
    const item = `receipt ${String(at + 1)}`;
    const receipt = readOr([jobId, 'receipt', item], steps, () => readReceipt(jws));
    if (!receipt) return [];
    const { claims } = receipt;
    const named = `${item} ${textOf(claims['outcome'])} to ${textOf(claims['sub'])}`;
    steps.push(
      compareFacts([jobId, 'receipt', named], claims, { jobId, sha256, events }),
      keys.length === 0
        ? unchecked([jobId, 'receipt signature', named], 'no key of receipts was given')
        : judged(
            [jobId, 'receipt signature', named],
            receipt.isSignedBy(keys),
            jws.slice(jws.lastIndexOf('.') + 1),
            'a signature by a given key',
          ),
    );
    return [claims];
  });
}

/** A receipt names no event of a document that its receiver does not see. */
function compareFacts(
  about: About,
  { document, delivery, event }: Claims,
  { jobId, sha256, events }: { jobId: string; sha256: string; events: readonly BundledEvent[] },
): Step {
  const stated = isRecord(delivery) ? delivery['sha256'] : undefined;
  const named = isRecord(event) ? event : undefined;
  const its = events.find(({ seq }) => seq === named?.['seq']);
  const facts = (...parts: unknown[]) => parts.map(textOf).join(' ');
  return compared(
    about,
    facts(document ?? jobId, stated, named?.['name'] ?? '', named?.['hash'] ?? ''),
    facts(jobId, sha256, named ? (its?.event ?? 'no such event') : '', named ? (its?.hash ?? '') : ''),
  );
}
