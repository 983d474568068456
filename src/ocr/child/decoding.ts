import sharp from 'sharp';
import type { Sharp, SharpOptions } from 'sharp';
import { DocketError } from '../../errors.ts';
import { toGrey } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';

const FIRST_LINES = 3;

/**
 * Decodes a picture file in grey at the given size, upright. Strict first: any complaint of the decoder stops it. A
 * complaint that is a warning only is added to `warnings`, and the picture is decoded all the same, so that a reviewer
 * sees what can be seen. Throws DocketError: TRUNCATED or CORRUPT as `onDamage` says, UNSUPPORTED_CODEC.
 */
export async function decodePicture(
  file: string,
  options: SharpOptions,
  size: { width: number; height: number },
  warnings: string[],
  onDamage: (reason: string) => Promise<DocketError>,
): Promise<GreyImage> {
  const decode = (failOn: 'warning' | 'error'): Promise<GreyImage> =>
    toGrey(stretched(sharp(file, { ...options, failOn }), size));
  try {
    return await decode('warning');
  } catch (strict) {
    rethrowIfOutOfMemory(strict);
    try {
      const picture = await decode('error');
      warnings.push(reasonOf(strict));
      return picture;
    } catch (lenient) {
      rethrowIfOutOfMemory(lenient);
      const reason = reasonOf(lenient);
      if (/not configured|not supported|unsupported/i.test(reason)) {
        throw new DocketError(
          'UNSUPPORTED_CODEC',
          `the picture's compression or layout is not read: ${reason}`,
          {
            cause: lenient,
          },
        );
      }
      throw await onDamage(reason);
    }
  }
}

/** Shrinking while decoding a JPEG is faster but blurs; evidence is read from all of its pixels. */
function stretched(pipeline: Sharp, { width, height }: { width: number; height: number }): Sharp {
  return pipeline
    .autoOrient()
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false });
}

function rethrowIfOutOfMemory(error: unknown): void {
  if (/out of memory|unable to allocate/i.test(reasonOf(error))) throw error;
}

/** The decoder's complaint without the repetitions that libvips adds. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  return lines.slice(0, FIRST_LINES).join('; ').slice(0, 300);
}
