import { PREPARATION } from './parameters-in-force.ts';
import { fromGrey, toGrey } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';

/**
 * Divides an image by the brightness of its paper, so that shadows, stains and faded parts end up on the same white.
 * The paper's brightness is a high quantile of each block, widened over its neighbours (a block may be all ink) and
 * smoothed.
 */
export async function flattenBackground(image: GreyImage): Promise<GreyImage> {
  const { data, width, height } = image;
  const paper = await enlarge(widen(brightestOfBlocks(image)), width, height);
  const flat = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 1) {
    const value = (data[i]! * 255) / Math.max(8, paper[i]!);
    flat[i] = value > 255 ? 255 : value;
  }
  return { data: flat, width, height };
}

function brightestOfBlocks({ data, width, height }: GreyImage): GreyImage {
  const block = PREPARATION.backgroundBlock;
  const columns = Math.ceil(width / block);
  const rows = Math.ceil(height / block);
  const brightest = new Uint8Array(columns * rows);
  const histogram = new Uint16Array(256);
  for (let row = 0; row < rows; row += 1) {
    const bottom = Math.min(height, (row + 1) * block);
    for (let column = 0; column < columns; column += 1) {
      const right = Math.min(width, (column + 1) * block);
      histogram.fill(0);
      for (let y = row * block; y < bottom; y += 1) {
        for (let x = column * block; x < right; x += 1) histogram[data[y * width + x]!]! += 1;
      }
      const pixels = (bottom - row * block) * (right - column * block);
      let above = 0;
      let value = 255;
      for (; value > 0; value -= 1) {
        above += histogram[value]!;
        if (above >= pixels * PREPARATION.backgroundQuantile) break;
      }
      brightest[row * columns + column] = value;
    }
  }
  return { data: brightest, width: columns, height: rows };
}

function widen({ data, width, height }: GreyImage): GreyImage {
  const reach = 2;
  const wide = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let j = Math.max(0, y - reach); j <= Math.min(height - 1, y + reach); j += 1) {
        for (let i = Math.max(0, x - reach); i <= Math.min(width - 1, x + reach); i += 1) {
          most = Math.max(most, data[j * width + i]!);
        }
      }
      wide[y * width + x] = most;
    }
  }
  return { data: wide, width, height };
}

async function enlarge(blocks: GreyImage, width: number, height: number): Promise<Uint8Array> {
  const block = PREPARATION.backgroundBlock;
  const smooth = await toGrey(fromGrey(blocks).blur(2));
  const full = await toGrey(
    fromGrey(smooth)
      .resize(blocks.width * block, blocks.height * block, { kernel: 'cubic', fit: 'fill' })
      .extract({ left: 0, top: 0, width, height }),
  );
  return full.data;
}
