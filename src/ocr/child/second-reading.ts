import { editDistance } from '../../domain/edit-distance.ts';
import { SECOND_READING } from './parameters-in-force.ts';
import { fromGrey, resizeGrey, toGrey } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';
import type { Recogniser } from './recogniser.ts';
import type { ReadLine, ReadWord } from './tsv.ts';

/**
 * Reads words again that have more characters than there are glyphs. A line recogniser that cannot decide between two
 * look-alikes (O and 0, S and 5) sometimes writes down both, which turns a container number into another; but the page
 * shows how many glyphs there are. Such a word is cut out and read alone at several scales, and the readings that fit the
 * glyphs vote with their confidence. Words that no reading improves stay as they are.
 */
export async function readDoubledAgain(
  lines: readonly ReadLine[],
  image: GreyImage,
  dpi: number,
  recogniser: Recogniser,
): Promise<ReadLine[]> {
  let left: number = SECOND_READING.mostWords;
  const improved: ReadLine[] = [];
  for (const line of lines) {
    const words: ReadWord[] = [];
    for (const word of line.words) {
      const glyphs = left > 0 && isDoubtful(word) ? countGlyphs(image, word) : word.text.length;
      if (glyphs >= word.text.length) words.push(word);
      else {
        left -= 1;
        words.push(await readAgain(word, glyphs, image, dpi, recogniser));
      }
    }
    improved.push({ ...line, words });
  }
  return improved;
}

function isDoubtful({ text, confidence }: ReadWord): boolean {
  return confidence < SECOND_READING.belowConfidence && text.length >= SECOND_READING.leastCharacters;
}

/** Runs of columns with ink: glyphs that touch count as one, so there may be more, hardly ever fewer. */
function countGlyphs({ data, width }: GreyImage, { box }: ReadWord): number {
  let runs = 0;
  let inside = false;
  for (let x = box.x0; x < box.x1; x += 1) {
    let ink = false;
    for (let y = box.y0; y < box.y1 && !ink; y += 1) ink = data[y * width + x]! < SECOND_READING.inkBelow;
    if (ink && !inside) runs += 1;
    inside = ink;
  }
  return runs;
}

async function readAgain(
  word: ReadWord,
  glyphs: number,
  image: GreyImage,
  dpi: number,
  recogniser: Recogniser,
): Promise<ReadWord> {
  const cut = await cutOut(word, image, dpi);
  const votes = new Map<string, number[]>();
  for (const scale of SECOND_READING.scales) {
    const width = Math.max(1, Math.round(cut.width * scale));
    const scaled = await resizeGrey(cut, width, Math.max(1, Math.round(cut.height * scale)));
    const [reading, ...more] = await recogniser.readLine(scaled, dpi * scale);
    if (reading === undefined || more.length > 0 || !fits(reading.text, word.text, glyphs)) continue;
    votes.set(reading.text, [...(votes.get(reading.text) ?? []), reading.confidence]);
  }
  let best = { ...word, sum: SECOND_READING.leastConfidence };
  for (const [text, confidences] of votes) {
    const sum = confidences.reduce((a, b) => a + b, 0);
    if (sum > best.sum) best = { text, confidence: sum / confidences.length, box: word.box, sum };
  }
  return { text: best.text, confidence: best.confidence, box: best.box };
}

function fits(text: string, original: string, glyphs: number): boolean {
  return (
    text.length >= glyphs &&
    text.length < original.length &&
    editDistance(text, original) <= SECOND_READING.mostEdits
  );
}

async function cutOut({ box }: ReadWord, image: GreyImage, dpi: number): Promise<GreyImage> {
  const margin = Math.round(dpi * SECOND_READING.margin);
  const left = Math.max(0, box.x0 - margin);
  const top = Math.max(0, box.y0 - (margin >> 1));
  const width = Math.min(image.width, box.x1 + margin) - left;
  const height = Math.min(image.height, box.y1 + (margin >> 1)) - top;
  const cut = fromGrey(image).extract({ left, top, width, height });
  return toGrey(
    cut.extend({ top: margin, bottom: margin, left: margin, right: margin, background: '#ffffff' }),
  );
}
