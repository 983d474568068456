import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import type { ChildFacts } from '../protocol.ts';
import { PARAMETERS } from './parameters-in-force.ts';
import { modelFile } from './recogniser.ts';
import type { Recogniser } from './recogniser.ts';

const require = createRequire(import.meta.url);

/** Versions of everything that has a say in a result. */
export async function readFacts(recogniser: Recogniser): Promise<ChildFacts> {
  const model = await readFile(modelFile().file);
  return {
    engine: `tesseract.js ${versionOf('tesseract.js')}`,
    tesseract: await recogniser.version(),
    core: `tesseract.js-core ${versionOf('tesseract.js-core')} ${await coreVariant()}`,
    model: `eng ${PARAMETERS.model}`,
    modelSha256: createHash('sha256').update(model).digest('hex'),
    sharp: versionOf('sharp'),
    libvips: sharp.versions.vips,
    pdfium: `@hyzyla/pdfium ${versionOf('@hyzyla/pdfium')}`,
  };
}

/** The build that Tesseract.js picks on this processor and runtime, asked of the very module that it asks. */
async function coreVariant(): Promise<string> {
  const detect = createRequire(require.resolve('tesseract.js'))('wasm-feature-detect') as {
    simd(): Promise<boolean>;
    relaxedSimd(): Promise<boolean>;
  };
  if (await detect.relaxedSimd()) return 'relaxedsimd-lstm';
  return (await detect.simd()) ? 'simd-lstm' : 'lstm';
}

/** Not every package lets its package.json be required, so the folder is found by its main file. */
function versionOf(name: string): string {
  const main = require.resolve(name);
  const folder = main.slice(0, main.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length);
  return (require(`${folder}package.json`) as { version: string }).version;
}
