import type { FinishedDocument } from './level.ts';
import { percentile } from './percentile.ts';

/** Documents that take about as long as each other. */
export interface ClassAges {
  /** Pages of a document, in words: `1`, `2-4`, `5-9`, `10 and more`. */
  readonly pages: string;
  /** Pixels an inch, in words: `below 180`, `180-240`, `above 240`. */
  readonly resolution: string;
  readonly documents: number;
  readonly pageCount: number;
  /** Seconds of recognition for each page. */
  readonly secondsPerPage: number;
  /** From accepted to published, in seconds. */
  readonly p50: number;
  readonly p95: number;
}

/** Each with the least number of pages that is not in it any more. */
const PAGE_CLASSES: readonly (readonly [name: string, below: number])[] = [
  ['1', 2],
  ['2-4', 5],
  ['5-9', 10],
  ['10 and more', Infinity],
];

/** Pages below the first are enlarged before they are read, and those above the last reduced. */
const RESOLUTION_CLASSES: readonly (readonly [name: string, below: number])[] = [
  ['below 180', 180],
  ['180-240', 240.5],
  ['above 240', Infinity],
];

/** Ages and costs of documents by number of pages and resolution, for the classes of which there is one. */
export function agesByClass(documents: readonly FinishedDocument[]): ClassAges[] {
  return PAGE_CLASSES.flatMap(([pages]) =>
    RESOLUTION_CLASSES.map(([resolution]) => ({
      pages,
      resolution,
      members: documents.filter(
        (one) =>
          classOf(PAGE_CLASSES, one.pages) === pages && classOf(RESOLUTION_CLASSES, one.dpi) === resolution,
      ),
    })),
  )
    .filter(({ members }) => members.length > 0)
    .map(({ pages, resolution, members }) => {
      const ages = members.map((one) => one.ageSeconds);
      const pageCount = members.reduce((sum, one) => sum + one.pages, 0);
      return {
        pages,
        resolution,
        documents: members.length,
        pageCount,
        secondsPerPage: members.reduce((sum, one) => sum + one.recognitionSeconds, 0) / pageCount,
        p50: percentile(ages, 50),
        p95: percentile(ages, 95),
      };
    });
}

function classOf(classes: readonly (readonly [name: string, below: number])[], value: number): string {
  return classes.find(([, below]) => value < below)?.[0] ?? '';
}
