/**
 * Recognises the text of a document.
 *   reads    the evidence's object, or else another delivery of the same bytes, into a file that only this process can reach
 *   does     hashes the very bytes it wrote, refuses others than those that were hashed, gives that file to the engine, which
 *            reads it by the OCR configuration of the attempt, and redacts what it read by the active rules
 *   records  docket.record_results: pages, text and word boxes; the gates there decide whether it is valid. What is valid is published next
 *   fails    with HASH_MISMATCH or SIZE_MISMATCH if the object changed since it was verified, the store's codes,
 *            TEMP_STORAGE_FAILED, or the engine's codes (OCR_UNAVAILABLE, OCR_TIMEOUT, OCR_CRASHED, CORRUPT, ENCRYPTED, …)
 */
import { defineTask } from '../attempts/define-task.ts';
import { toResultJson } from '../attempts/result-json.ts';
import { createScanCopy } from '../attempts/scan-copy.ts';
import type { RecognisedPage } from '../ocr/engine.ts';
import { BUILT_IN } from '../ocr/setup.ts';
import publish from './publish.ts';

export default defineTask({
  name: 'ocr',
  overrun: 'OCR_TIMEOUT',
  next: publish,
  async run(attempt, context) {
    const { commands, scans, engine, ocrSetup, engineConfig, tempFolder, redact, trace, signal } = context;
    const { candidates, ocrVersion = BUILT_IN.version } = attempt;
    const setup = await ocrSetup(ocrVersion);
    const name = `${attempt.jobId}-${attempt.attempt}`;
    const copy = createScanCopy({ scans, candidates, name, tempFolder, signal });
    try {
      const file = await trace.step('copy', () => copy.file());
      const recognition = await trace.step('recognise', async (step) => {
        const deadline = attempt.remainingMs();
        const onPage = ({ pageNo, verdict, confidence, words }: RecognisedPage) =>
          step.event('page', { page: pageNo, verdict, confidence, words: words.length });
        const read = await engine.recognise(file, { signal, deadline, setup, onPage });
        step.note({ pages: read.pagesDecoded, pages_declared: read.pagesDeclared });
        return read;
      });
      const kind = candidates[0]?.documentKind ?? 'unknown';
      const redaction = await trace.step('redact', () => redact(attempt, kind, recognition));
      return await commands.recordResult(attempt, {
        config: await engineConfig(ocrVersion),
        result: toResultJson(recognition, redaction),
      });
    } finally {
      await copy.remove();
    }
  },
});
