import type { Comparison, Counts, PageComparison } from './compare-readings.ts';

/**
 * The JSON text in which docket.record_rereadings takes a comparison: columns of docket.trial_comparisons, and in `pages` the same
 * counts of each page, with its number, its size in pixels and the boxes of words that differ.
 */
export function comparisonJson(comparison: Comparison): string {
  return JSON.stringify({
    pages_before: comparison.pagesBefore,
    pages_after: comparison.pagesAfter,
    ...countsOf(comparison),
    pages: comparison.pages.map((page) => ({
      page: page.page,
      width: page.width,
      height: page.height,
      ...countsOf(page),
      differs: page.differs,
    })),
  });
}

function countsOf(of: Counts) {
  return {
    characters_before: of.charactersBefore,
    characters_after: of.charactersAfter,
    character_edits: of.characterEdits,
    words_before: of.wordsBefore,
    words_after: of.wordsAfter,
    words_kept: of.wordsKept,
    fields_before: of.fieldsBefore,
    fields_after: of.fieldsAfter,
    fields_kept: of.fieldsKept,
    confidence_before: of.confidenceBefore,
    confidence_after: of.confidenceAfter,
  };
}

/** The pages of a comparison as they are stored, by their names in JSON; none where there is no such list. */
export function pagesOfJson(stored: unknown): PageComparison[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Record<string, unknown>[]).map((page) => {
    const of = (name: string) => Number(page[name] ?? 0);
    return {
      page: of('page'),
      width: of('width'),
      height: of('height'),
      charactersBefore: of('characters_before'),
      charactersAfter: of('characters_after'),
      characterEdits: of('character_edits'),
      wordsBefore: of('words_before'),
      wordsAfter: of('words_after'),
      wordsKept: of('words_kept'),
      fieldsBefore: of('fields_before'),
      fieldsAfter: of('fields_after'),
      fieldsKept: of('fields_kept'),
      confidenceBefore: of('confidence_before'),
      confidenceAfter: of('confidence_after'),
      differs: Array.isArray(page['differs']) ? (page['differs'] as PageComparison['differs']) : [],
    };
  });
}
