import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker } from 'tesseract.js';
import { PARAMETERS, SECOND_READING } from './parameters-in-force.ts';
import { readTsv } from './tsv.ts';
import type { ReadLine, ReadWord } from './tsv.ts';
import type { GreyImage } from './grey-image.ts';

export interface Recogniser {
  /** Tesseract's own version. */
  version(): Promise<string>;
  /** Reads an image of known resolution; boxes are in its pixels. */
  read(image: GreyImage, dpi: number): Promise<ReadLine[]>;
  /** Reads an image that holds a single line, or a single word of one. */
  readLine(image: GreyImage, dpi: number): Promise<ReadWord[]>;
}

/** The folder of the language model, and the model's file in it. */
export function modelFile(): { folder: string; file: string } {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), PARAMETERS.model);
  return { folder, file: join(folder, 'eng.traineddata.gz') };
}

/**
 * Starts Tesseract from local files only. `cacheMethod: 'none'` keeps it from writing the unpacked model into the working
 * directory and from preferring what it finds there; without an errorHandler one unreadable image would end the process.
 */
export async function startRecogniser(): Promise<Recogniser> {
  const worker = await createWorker('eng', 1, {
    langPath: modelFile().folder,
    cacheMethod: 'none',
    errorHandler: () => undefined,
  });
  await worker.setParameters(PARAMETERS.tesseract);
  const recognise = async (image: GreyImage, dpi: number, parameters: object = {}) => {
    const options = {
      ...parameters,
      user_defined_dpi: String(Math.round(Math.min(Math.max(dpi, 70), 2400))),
    };
    // The typings know Tesseract.js' own options only, but parameters given here hold for this image.
    const { data } = await worker.recognize(toPgm(image), options as object, { text: false, tsv: true });
    return data;
  };
  return {
    async version() {
      const blank: GreyImage = { data: new Uint8Array(64 * 64).fill(255), width: 64, height: 64 };
      return (await recognise(blank, 200)).version;
    },
    read: async (image, dpi) => readTsv((await recognise(image, dpi)).tsv ?? ''),
    async readLine(image, dpi) {
      const { tsv } = await recognise(image, dpi, { tessedit_pageseg_mode: SECOND_READING.pageSegmentation });
      return readTsv(tsv ?? '').flatMap((line) => line.words);
    },
  };
}

/** The image as a binary PGM: one channel, nothing to compress, and Leptonica reads it as it is. */
function toPgm({ data, width, height }: GreyImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);
}
