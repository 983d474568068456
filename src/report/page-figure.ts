import type { ReportDocument, ReportPage, ReportWord } from './document.ts';
import { markup } from './html.ts';
import type { Html } from './html.ts';
import { formatPercent } from './measures.ts';

/** A picture above this is left out, so that one page cannot make the report unusable. */
const LARGEST_PICTURE = 768 * 1024;

const VERDICTS = {
  text: '',
  blank: 'The page is blank.',
  no_text: 'The page is not blank, but no text was found on it.',
};

/** The picture of a page with a box round each word, and the text beside it. */
export function pageFigure(
  page: ReportPage,
  { file, standing }: Pick<ReportDocument, 'file' | 'standing'>,
): Html {
  const turned = page.rotation !== 0 && `turned by ${page.rotation}° to be upright`;
  const straightened = Math.abs(page.angle) >= 0.05 && `straightened by ${page.angle.toFixed(2)}°`;
  const confidence = page.verdict === 'text' && formatPercent(page.confidence);
  const received = standing === 'signed' ? 'of a signed document' : 'bytes received';
  const remarks = [received, confidence, turned, straightened]
    .filter((remark) => remark !== false)
    .join(' · ');
  return markup` <section class="page" aria-label="Page ${page.number} of ${file}">
    <h3>Page ${page.number}<small>${remarks}</small></h3>
    <div class="pair">
      <figure>
        ${picture(page, file)}
        <figcaption class="pointed" aria-hidden="true"></figcaption>
      </figure>
      ${
        page.verdict === 'text'
          ? markup`<pre tabindex="0" dir="auto" aria-label="Text of page ${page.number}">${page.text}</pre>`
          : markup`<p class="verdict">${VERDICTS[page.verdict]}</p>`
      }
    </div>
  </section>`;
}

function picture(page: ReportPage, file: string): Html {
  const { jpeg, width, height } = page;
  const usable = jpeg !== undefined && jpeg.length <= LARGEST_PICTURE && jpeg[0] === 0xff && jpeg[1] === 0xd8;
  const image = usable
    ? markup`<img
        loading="lazy"
        decoding="async"
        width="${width}"
        height="${height}"
        alt="Page ${page.number} of ${file}"
        src="data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}"
      />`
    : markup`<p class="absent">No picture of this page.</p>`;
  const tallest = page.verdict === 'text' ? '56rem' : '16rem';
  // Screen readers get the text beside the picture; the boxes would only repeat it word by word.
  return markup`<div
    class="sheet"
    style="aspect-ratio:${whole(width)}/${whole(height)};max-width:calc(${tallest} * ${whole(width)} / ${whole(height)})"
  >
    ${image}
    <svg aria-hidden="true" viewBox="0 0 ${whole(width)} ${whole(height)}" preserveAspectRatio="none">
      ${page.words.map(box)}
    </svg>
  </div>`;
}

function box(word: ReportWord): Html {
  const sure = word.confidence >= 80 ? 'a' : word.confidence >= 60 ? 'b' : 'c';
  const [x, y] = [whole(word.x0), whole(word.y0)];
  const size = [Math.max(1, whole(word.x1) - x), Math.max(1, whole(word.y1) - y)];
  return markup`<rect class="${sure}" x="${x}" y="${y}" width="${size[0]}" height="${size[1]}"><title>${word.text} (${whole(word.confidence)} %)</title></rect>`;
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
