import type { Recognition } from '../ocr/engine.ts';

/** The JSON text in which docket.record_results takes a recognition: names in snake case, words as arrays. */
export function toResultJson(recognition: Recognition): string {
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
  });
}
