import type { PageComparison } from '../../domain/comparison/compare-readings.ts';
import { markup } from '../html.ts';
import type { Html } from '../html.ts';

/** A page as an empty sheet, with a box wherever a word stands that only one of both readings has, and its counts below. */
export function differenceMap(page: PageComparison): Html {
  const [width, height] = [Math.max(1, Math.round(page.width)), Math.max(1, Math.round(page.height))];
  const differing = Math.max(page.wordsBefore, page.wordsAfter) - page.wordsKept;
  const lost = page.fieldsBefore - page.fieldsKept;
  const label = `Page ${page.page}: ${differing} of ${Math.max(page.wordsBefore, page.wordsAfter)} words differ`;
  return markup`<figure class="map">
    <svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}">${page.differs.map(
      ([x0, y0, x1, y1]) =>
        markup`<rect class="c" x="${x0}" y="${y0}" width="${Math.max(1, x1 - x0)}" height="${Math.max(1, y1 - y0)}"/>`,
    )}</svg>
    <figcaption>${label}${lost > 0 && `, ${lost} of ${page.fieldsBefore} fields`}; confidence ${page.confidenceBefore.toFixed(1)} → ${page.confidenceAfter.toFixed(1)}</figcaption>
  </figure>`;
}
