/**
 * Finds the delivery whose bytes are those the job is about, and what is signed of them.
 *   reads    the candidates' objects, each streamed once; 64 KiB of it are kept to recognise the format. Where there is an
 *            envelope, or a PDF says that it is signed, the envelopes, and the scan again if a check needs its bytes
 *   does     tries candidates in order; the first with the right size and SHA-256 is the evidence; checks the signatures
 *   records  docket.record_verified, where it is decided whether the signatures are what the document needs. Recognition is next
 *   fails    with the format's code if the right bytes are of no use (EMPTY_OBJECT, UNKNOWN_FORMAT, UNSUPPORTED_FORMAT), with
 *            CHECK_TIMEOUT or CHECK_CRASHED if a PDF cannot be checked; else with the most hopeful of the candidates' failures
 */
import type { Candidate } from '../attempts/attempt.ts';
import { defineTask } from '../attempts/define-task.ts';
import { tryCandidates } from '../attempts/try-candidates.ts';
import { createPdfSigns } from '../evidence/pdf/pdf-signs.ts';
import { preflight } from '../ocr/sniff.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import { readChecked } from '../store/read-checked.ts';
import ocr from './ocr.ts';

const HEAD_BYTES = 65_536;
export default defineTask({
  name: 'hash',
  overrun: 'STORE_TIMEOUT',
  next: ocr,
  async run(attempt, { commands, scans, signatures: checker, trace, signal }) {
    const { candidate, value: seen } = await trace.step('read', async (step) => {
      const found = await tryCandidates(attempt, signal, (one) => readThrough(scans, one, signal));
      step.note({ bytes: found.candidate.sizeBytes, candidates: attempt.candidates.length });
      return found;
    });
    const { deliveryId } = candidate;
    const mediaType = preflight(seen.head, candidate.sizeBytes);
    let signatures: string | null = null;
    if (seen.mayBeSigned || attempt.candidates.some((one) => one.hasEnvelope)) {
      const scan = {
        candidates: [candidate],
        sha256: attempt.sha256,
        inside: seen.mayBeSigned ? deliveryId : null,
      };
      const envelopes = await commands.readEnvelopes(attempt, deliveryId);
      signatures = await trace.step('check_signatures', () => checker.check(scan, envelopes, signal));
    }
    return commands.recordVerified(attempt, { deliveryId, mediaType, signatures });
  },
});

/** What a candidate's object shows of itself, once all of it was seen to be what was stated. */
async function readThrough(
  scans: ScanReader,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<{ head: Buffer; mayBeSigned: boolean }> {
  const signs = createPdfSigns();
  const pieces: Buffer[] = [];
  let missing = HEAD_BYTES;
  const take = (piece: Buffer) => {
    signs.take(piece);
    if (missing > 0) pieces.push(piece.subarray(0, missing));
    missing -= piece.length;
  };
  await readChecked((options) => scans.open(candidate, options), candidate, { signal, take });
  return { head: Buffer.concat(pieces), mayBeSigned: signs.mayBeSigned };
}
