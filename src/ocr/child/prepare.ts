import { chain, quarterTurn, scaling } from '../../domain/geometry.ts';
import type { Affine } from '../../domain/geometry.ts';
import { PREPARATION } from './parameters-in-force.ts';
import { resizeGrey, turnQuarter } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';
import { inkShare, markInk } from './ink.ts';
import { level } from './level.ts';
import { enlargement } from './resolution.ts';
import { findSkew } from './skew.ts';

export type Rotation = 0 | 90 | 180 | 270;

/** An image ready to be read, and the map onto it from the image it was made of. */
export interface Prepared {
  readonly image: GreyImage;
  readonly dpi: number;
  readonly rotation: Rotation;
  readonly angle: number;
  readonly map: Affine;
}

/** The ink of an image, on a copy that is small enough to look at all of it quickly. */
export interface InkSurvey {
  readonly ink: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Turns an image upright by `rotation`, levels its lines, and enlarges it where its resolution is too low to read. Where
 * the turned image's ink has been surveyed already, `survey` saves doing it again.
 */
export async function prepare(
  image: GreyImage,
  dpi: number,
  rotation: Rotation,
  survey?: InkSurvey,
): Promise<Prepared> {
  let map = quarterTurn(rotation, image.width, image.height);
  let current = turnQuarter(image, rotation);
  const { ink, width, height } = survey ?? (await surveyInk(current));
  const angle = findSkew(ink, width, height);
  if (angle !== 0) {
    const levelled = level(current, angle);
    current = levelled.image;
    map = chain(map, levelled.map);
  }
  const factor = enlargement(dpi, current.width, current.height);
  if (factor > 1) {
    const { image: enlarged, map: stretch } = await stretchTo(current, factor);
    current = enlarged;
    map = chain(map, stretch);
  }
  return { image: current, dpi: dpi * factor, rotation, angle, map };
}

/** A smaller copy for trials, with the map onto it. */
export async function stretchTo(
  image: GreyImage,
  factor: number,
): Promise<{ image: GreyImage; map: Affine }> {
  const width = Math.max(1, Math.round(image.width * factor));
  const height = Math.max(1, Math.round(image.height * factor));
  return {
    image: await resizeGrey(image, width, height),
    map: scaling(width / image.width, height / image.height),
  };
}

/** Whether there is nothing on the page worth reading. */
export function isBlank({ ink }: InkSurvey): boolean {
  return inkShare(ink) < PREPARATION.blankInk;
}

/** Whether the page is so dark that ink would not stand out: a black page is not a blank one. */
export function isDark({ data }: GreyImage): boolean {
  let sum = 0;
  for (const value of data) sum += value;
  return sum < data.length * PREPARATION.darkBelow;
}

export async function surveyInk(image: GreyImage): Promise<InkSurvey> {
  const factor = Math.min(1, PREPARATION.skewCopySide / Math.max(image.width, image.height));
  const { image: copy } = await stretchTo(image, factor);
  return { ink: markInk(copy), width: copy.width, height: copy.height };
}
