import type { Recognition } from '../ocr/engine.ts';
import type { Redaction } from './define-task.ts';

/**
 * The JSON text in which docket.record_results takes a recognition: names in snake case, words as arrays. What redaction
 * made of it travels along; it is no part of the result and of its hash.
 */
export function toResultJson(recognition: Recognition, redaction?: Redaction): string {
  return JSON.stringify({
    pages_declared: recognition.pagesDeclared,
    pages_decoded: recognition.pagesDecoded,
    warnings: recognition.warnings,
    pages: recognition.pages.map((page) => ({
      page_no: page.pageNo,
      width: page.width,
      height: page.height,
      dpi: page.dpi,
      rotation: page.rotation,
      angle: page.angle,
      verdict: page.verdict,
      confidence: page.confidence,
      text: page.text,
      words: page.words,
    })),
    redaction: redaction && {
      rule_set_id: redaction.ruleSetId,
      pages: redaction.pages.map(({ pageNo, text, words, masks }) => ({
        page_no: pageNo,
        text,
        words,
        masks,
      })),
    },
  });
}
