/**
 * Finds the delivery whose bytes are those the job is about.
 *   reads    the candidates' objects, each streamed once; 64 KiB of it are kept to recognise the format
 *   does     tries candidates in order; the first with the right size and SHA-256 is the evidence
 *   records  docket.record_verified
 *   fails    with the format's code if the right bytes are of no use (EMPTY_OBJECT, UNKNOWN_FORMAT, UNSUPPORTED_FORMAT);
 *            else with the most hopeful of the candidates' failures
 */
import type { Candidate } from '../attempts/attempt.ts';
import { defineTask } from '../attempts/define-task.ts';
import { tryCandidates } from '../attempts/try-candidates.ts';
import { preflight } from '../ocr/sniff.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import { readChecked } from '../store/read-checked.ts';

const HEAD_BYTES = 65_536;
export default defineTask({
  name: 'hash',
  overrun: 'STORE_TIMEOUT',
  async run(attempt, { commands, scans, signal }) {
    const { candidate, value: head } = await tryCandidates(attempt, signal, (one) =>
      readHead(scans, one, signal),
    );
    const mediaType = preflight(head, candidate.sizeBytes);
    return commands.recordVerified(attempt, { deliveryId: candidate.deliveryId, mediaType });
  },
});

/** The first bytes of a candidate's object, once all of it was seen to be what was stated. */
async function readHead(scans: ScanReader, candidate: Candidate, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let missing = HEAD_BYTES;
  const take = (piece: Buffer) => {
    if (missing > 0) pieces.push(piece.subarray(0, missing));
    missing -= piece.length;
  };
  await readChecked((options) => scans.open(candidate, options), candidate, { signal, take });
  return Buffer.concat(pieces);
}
