/** What a replay counted. */
export interface ReplayCounts {
  readonly population: number;
  readonly sample: number;
  readonly passed: number;
  readonly failed: number;
  readonly unchecked: number;
  readonly waiting: number;
  readonly reread: number;
  /** Of the documents that were drawn from, with a confidence of 99 %; null where nothing can be said of them. */
  readonly bad_share_at_most: number | null;
  /** Whether the text was to be recognised anew. */
  readonly is_reread: boolean;
}

/** What can be said after a replay, and no more than that. */
export function replayStatement(counts: ReplayCounts): string {
  const { population, sample, passed, failed, unchecked, waiting, reread, is_reread: isReread } = counts;
  if (population === 0) return 'There was no published document to replay.';
  const sentences = [
    `${passed + failed} of ${sample} documents were checked: ${passed} passed, ${failed} failed.`,
  ];
  if (unchecked > 0) sentences.push(`${unchecked} could not be looked at, which says nothing of them.`);
  if (waiting > 0) sentences.push(`${waiting} still wait.`);
  if (isReread) sentences.push(`The text of ${reread} was recognised anew.`);
  sentences.push(...ofTheRest(counts));
  return sentences.join(' ');
}

function ofTheRest({ population, passed, failed, bad_share_at_most: share }: ReplayCounts): string[] {
  if (share === null) return [];
  if (passed + failed < population) {
    return [`With 99 % confidence fewer than ${percent(share)} of ${population} documents are bad.`];
  }
  return [failed === 0 ? 'That is all there are: none is bad.' : `That is all there are: ${failed} are bad.`];
}

/** A share in per cent with two digits that count, rounded up: what is claimed must hold. */
function percent(share: number): string {
  if (share >= 1) return '100 %';
  const value = share * 100;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return `${Number((Math.ceil(value / step) * step).toPrecision(2))} %`;
}
