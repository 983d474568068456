import { chain, invert, mapBox, scaling, toPixels } from '../../domain/geometry.ts';
import type { Affine } from '../../domain/geometry.ts';
import type { RecognisedPage, RecognisedWord } from '../engine.ts';
import { PREPARATION } from './parameters-in-force.ts';
import { flattenBackground } from './background.ts';
import { findRotation, isDoubtful } from './orientation.ts';
import type { PageImage } from './page-image.ts';
import { isBlank, isDark, prepare, surveyInk } from './prepare.ts';
import type { Prepared } from './prepare.ts';
import type { Recogniser } from './recogniser.ts';
import { believableResolution, decodedSize } from './resolution.ts';
import { readDoubledAgain } from './second-reading.ts';
import { textOf } from './tsv.ts';
import type { ReadLine } from './tsv.ts';

interface Reading {
  readonly prepared: Prepared;
  readonly lines: ReadLine[];
}

/** Decodes, prepares and reads one page. Word boxes come back on the page as delivered. */
export async function readPage(page: PageImage, recogniser: Recogniser): Promise<RecognisedPage> {
  const { width, height, dpi } = decodedSize(page);
  const decoded = await page.grey(width, height);
  const flat = page.bilevel ? decoded : await flattenBackground(decoded);
  const survey = await surveyInk(flat);
  if (isBlank(survey) && !isDark(decoded)) return pageWithoutText(page, 'blank');
  if (Math.min(width, height) < PREPARATION.shortestSide) return pageWithoutText(page, 'no_text');

  let reading = await read(await prepare(flat, dpi, 0, survey), recogniser);
  if (isDoubtful(reading.lines)) {
    const rotation = await findRotation(flat, dpi, recogniser);
    if (rotation !== 0) reading = await read(await prepare(flat, dpi, rotation), recogniser);
  }
  const toOriginal = invert(chain(scaling(width / page.width, height / page.height), reading.prepared.map));
  const { prepared } = reading;
  const lines = await readDoubledAgain(reading.lines, prepared.image, prepared.dpi, recogniser);
  return describe(page, { prepared, lines }, toOriginal);
}

async function read(prepared: Prepared, recogniser: Recogniser): Promise<Reading> {
  return { prepared, lines: await recogniser.read(prepared.image, prepared.dpi) };
}

function describe(page: PageImage, { prepared, lines }: Reading, toOriginal: Affine): RecognisedPage {
  const words = lines.flatMap((line) => line.words);
  if (words.length === 0) return pageWithoutText(page, 'no_text');
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  return {
    ...pageWithoutText(page, 'text'),
    rotation: prepared.rotation,
    angle: Number(prepared.angle.toFixed(2)),
    confidence: Number(confidence.toFixed(1)),
    text: textOf(lines),
    words: words.map((word): RecognisedWord => {
      const { x0, y0, x1, y1 } = toPixels(mapBox(toOriginal, word.box), page.width, page.height);
      return [word.text, Math.round(word.confidence), x0, y0, x1, y1];
    }),
  };
}

function pageWithoutText(page: PageImage, verdict: RecognisedPage['verdict']): RecognisedPage {
  return {
    pageNo: page.pageNo,
    width: page.width,
    height: page.height,
    dpi: Number(believableResolution(page).x.toFixed(1)),
    rotation: 0,
    angle: 0,
    verdict,
    confidence: 0,
    text: '',
    words: [],
  };
}
