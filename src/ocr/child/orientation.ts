import { ORIENTATION } from './parameters-in-force.ts';
import { turnQuarter } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';
import { stretchTo } from './prepare.ts';
import type { Rotation } from './prepare.ts';
import type { Recogniser } from './recogniser.ts';
import type { ReadLine, ReadWord } from './tsv.ts';

/**
 * Whether a page may have been read in the wrong orientation. Upright pages are read with confidence; of pages that lie on
 * their side hardly any word is, or Tesseract has turned their blocks by itself, which shows in the shape of the words.
 */
export function isDoubtful(lines: readonly ReadLine[]): boolean {
  const words = lines.flatMap((line) => line.words);
  const sure = words.filter((word) => word.confidence >= ORIENTATION.sureConfidence).length;
  if (words.length === 0 || sure / words.length < ORIENTATION.sureShare) return true;
  const shaped = words.filter((word) => letters(word) >= ORIENTATION.shapeLetters);
  return shaped.filter(runsUpwards).length > shaped.length / 2;
}

/**
 * Finds the clockwise turn that makes a page upright, by reading a small copy of it. Two readings tell the four
 * orientations apart: where lines run from bottom to top Tesseract turns the block and reads it, so the words of a page
 * that needs 270° show up tall in the copy as it is, and those of one that needs 90° in the copy that stands on its head.
 */
export async function findRotation(image: GreyImage, dpi: number, recogniser: Recogniser): Promise<Rotation> {
  const factor = Math.min(ORIENTATION.trialEnlargeAtMost, ORIENTATION.trialDpi / dpi);
  const { image: copy } = await stretchTo(image, factor);
  const asItIs = await recogniser.read(copy, dpi * factor);
  const onItsHead = await recogniser.read(turnQuarter(copy, 180), dpi * factor);
  let best: { rotation: Rotation; score: number } = {
    rotation: 0,
    score: legibility(asItIs, false) * ORIENTATION.gain,
  };
  const others: [Rotation, number][] = [
    [90, legibility(onItsHead, true)],
    [180, legibility(onItsHead, false)],
    [270, legibility(asItIs, true)],
  ];
  for (const [rotation, score] of others) if (score > best.score) best = { rotation, score };
  return best.rotation;
}

/** How much reads like text among the words that run upwards, or among those that do not. */
function legibility(lines: readonly ReadLine[], upwards: boolean): number {
  let sum = 0;
  for (const word of lines.flatMap((line) => line.words)) {
    const length = letters(word);
    if (length < ORIENTATION.shapeLetters || word.confidence < ORIENTATION.trialConfidence) continue;
    if (runsUpwards(word) === upwards) sum += length * word.confidence;
  }
  return sum;
}

function letters({ text }: ReadWord): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function runsUpwards({ box }: ReadWord): boolean {
  return box.y1 - box.y0 > box.x1 - box.x0;
}
