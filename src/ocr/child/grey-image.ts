import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Eight bits a pixel, 0 black to 255 white, rows from the top without padding. */
export interface GreyImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Runs a pipeline and answers its picture in grey: transparency laid on white, any depth or colour space brought down. */
export async function toGrey(pipeline: Sharp): Promise<GreyImage> {
  const { data, info } = await pipeline
    .flatten({ background: '#ffffff' })
    .greyscale()
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw new Error(`expected one channel, got ${info.channels}`);
  return { data, width: info.width, height: info.height };
}

/** The image stretched to `width` × `height`; smooth in both directions. */
export async function resizeGrey(image: GreyImage, width: number, height: number): Promise<GreyImage> {
  if (image.width === width && image.height === height) return image;
  const kernel = width * height < image.width * image.height ? 'lanczos3' : 'cubic';
  return toGrey(fromGrey(image).resize(width, height, { kernel, fit: 'fill' }));
}

/** A pipeline that starts from the image. */
export function fromGrey({ data, width, height }: GreyImage): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } });
}

/** The image after a clockwise quarter turn, pixel for pixel. */
export function turnQuarter(image: GreyImage, rotation: 0 | 90 | 180 | 270): GreyImage {
  if (rotation === 0) return image;
  const { data, width, height } = image;
  const turned = new Uint8Array(data.length);
  if (rotation === 180) {
    for (let i = 0, j = data.length - 1; j >= 0; i += 1, j -= 1) turned[i] = data[j] ?? 0;
    return { data: turned, width, height };
  }
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) {
      const target = rotation === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      turned[target] = data[row + x] ?? 0;
    }
  }
  return { data: turned, width: height, height: width };
}
