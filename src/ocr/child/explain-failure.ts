import { DocketError } from '../../errors.ts';
import type { Answer } from '../protocol.ts';
import { pdfiumMemory } from './pdfium.ts';

const OUT_OF_MEMORY =
  /out of memory|OOM|allocation failed|Cannot enlarge memory|unable to allocate|bad_alloc/i;
const MUCH_MEMORY = 512 * 1024 * 1024;
const UNREADABLE_FILE = new Set(['ENOENT', 'EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTDIR', 'EISDIR']);

/**
 * Names a failure for the parent. After one that is not ours, the decoders' memory cannot be trusted, so the child counts
 * as tired and is replaced.
 */
export function explainFailure(error: unknown): Answer {
  if (error instanceof DocketError) {
    return { ...failed(error.code, error.message, { ...error.data }), tired: false };
  }
  const message = error instanceof Error ? error.message : String(error);
  const systemCode = (error as { code?: unknown }).code;
  if (typeof systemCode === 'string' && UNREADABLE_FILE.has(systemCode)) {
    return failed('TEMP_STORAGE_FAILED', 'the copy of the document cannot be read', { reason: systemCode });
  }
  if (OUT_OF_MEMORY.test(message)) {
    return failed('OCR_OUT_OF_MEMORY', 'the document needs more memory than allowed', {
      reason: brief(message),
    });
  }
  // What WebAssembly throws for a trap: an abort, an endless recursion, an access out of bounds.
  if (error instanceof Error && error.name === 'RuntimeError') {
    // PDFium aborts in the same way when it gets no more memory; then it has already taken very much.
    if (pdfiumMemory() > MUCH_MEMORY) {
      return failed('OCR_OUT_OF_MEMORY', 'the PDF needs more memory than there is', {
        bytes: pdfiumMemory(),
      });
    }
    return failed('CORRUPT', 'the decoder gave up on the document', { reason: brief(message) });
  }
  return failed('OCR_ENGINE_FAILED', 'the engine failed on the document', { reason: brief(message) });
}

function failed(
  code: string,
  message: string,
  data: Record<string, unknown>,
): Extract<Answer, { type: 'failed' }> {
  return { type: 'failed', code, message, data, tired: true };
}

function brief(message: string): string {
  return message.slice(0, 300);
}
