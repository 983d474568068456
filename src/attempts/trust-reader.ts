import { anchorFromJson, type AnchorJson } from '../evidence/anchor-json.ts';
import type { Trust } from '../evidence/trust.ts';

/** What docket.envelope_trust says of a delivery, and the time it is judged for. */
export interface TrustRow {
  readonly judged_at: string;
  readonly anchors: unknown;
  readonly revocation_lists: readonly number[];
}

export type ReadTrust = (row: TrustRow) => Promise<Trust>;

/** Lists take up to 10 MiB each, and never change: so many bytes of them are kept. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Completes what signatures are judged by with the revocation lists, each of which is read once and kept for a while. */
export function createTrustReader(
  readLists: (numbers: readonly number[]) => Promise<readonly { revocation_list_id: number; crl: Buffer }[]>,
): ReadTrust {
  const kept = new Map<number, Buffer>();
  let keptBytes = 0;

  function keep(number: number, crl: Buffer): void {
    if (kept.has(number)) return;
    kept.set(number, crl);
    keptBytes += crl.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= KEPT_BYTES) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
  }

  async function listsOf(numbers: readonly number[]): Promise<Buffer[]> {
    const known = numbers.flatMap((number) => kept.get(number) ?? []);
    const missing = numbers.filter((number) => !kept.has(number));
    if (missing.length === 0) return known;
    const read = await readLists(missing);
    for (const { revocation_list_id, crl } of read) keep(revocation_list_id, crl);
    return [...known, ...read.map(({ crl }) => crl)];
  }

  return async (row) => ({
    anchors: (row.anchors as AnchorJson[]).map(anchorFromJson),
    revocationLists: await listsOf(row.revocation_lists),
    judgedAt: new Date(row.judged_at),
  });
}
