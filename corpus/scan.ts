import { degrade } from './degrade.ts';
import type { Step } from './degrade.ts';
import type { Built } from './document.ts';
import { encodeFax } from './formats/fax.ts';
import type { FaxPage } from './formats/fax.ts';
import { encodeJpeg } from './formats/jpeg.ts';
import { encodePng } from './formats/png.ts';
import { createRandom } from './random.ts';
import type { Sheet } from './sheet.ts';

/** A scanned sheet as a JPEG, with what a PDF writer needs to know of it. */
export interface JpegScan {
  jpeg: Buffer;
  width: number;
  height: number;
  channels: 1 | 3;
  dpi: number;
}

/** Wears a sheet by steps (seeded by `name`) and stores it as JPEG of a quality. */
export async function scanAsJpeg(
  name: string,
  sheet: Sheet,
  quality: number,
  steps: readonly Step[],
): Promise<JpegScan> {
  const page = degrade(sheet.raster, createRandom(`scan/${name}`), steps);
  const jpeg = await encodeJpeg(page, quality, sheet.dpi);
  return { jpeg, width: page.width, height: page.height, channels: page.channels, dpi: sheet.dpi };
}

/** Wears a sheet by steps, the last of which must leave black and white only, and compresses it as group 4. */
export async function scanAsFax(name: string, sheet: Sheet, steps: readonly Step[]): Promise<FaxPage> {
  return encodeFax(degrade(sheet.raster, createRandom(`scan/${name}`), steps), sheet.dpi);
}

/** A whole document of one JPEG page. */
export async function jpegDocument(
  name: string,
  sheet: Sheet,
  quality: number,
  steps: readonly Step[],
): Promise<Built> {
  return { bytes: (await scanAsJpeg(name, sheet, quality, steps)).jpeg, truth: [sheet.truth] };
}

/** A whole document of one PNG page, worn by steps. */
export function pngDocument(name: string, sheet: Sheet, steps: readonly Step[]): Built {
  const page = degrade(sheet.raster, createRandom(`scan/${name}`), steps);
  return { bytes: encodePng(page, sheet.dpi), truth: [sheet.truth] };
}
