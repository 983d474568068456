import { invert, turnOntoCanvas } from '../../domain/geometry.ts';
import type { Affine } from '../../domain/geometry.ts';
import type { GreyImage } from './grey-image.ts';

/**
 * Turns an image by `degrees` (clockwise) onto a canvas that holds all of it, white around it, and answers the exact map
 * from the image to that canvas. Done here rather than by an imaging library, whose offsets are not exact to the pixel.
 */
export function level(image: GreyImage, degrees: number): { image: GreyImage; map: Affine } {
  const { map, width, height } = turnOntoCanvas(degrees, image.width, image.height);
  const back = invert(map);
  const source = image.data;
  const sourceWidth = image.width;
  const lastX = image.width - 1;
  const lastY = image.height - 1;
  const data = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < height; y += 1) {
    // Pixel centres: half a pixel in from the corner on either side of the map.
    let sx = back.a * 0.5 + back.c * (y + 0.5) + back.e - 0.5;
    let sy = back.b * 0.5 + back.d * (y + 0.5) + back.f - 0.5;
    const row = y * width;
    for (let x = 0; x < width; x += 1, sx += back.a, sy += back.b) {
      if (sx < -0.5 || sy < -0.5 || sx > lastX + 0.5 || sy > lastY + 0.5) continue;
      const cx = sx < 0 ? 0 : sx > lastX ? lastX : sx;
      const cy = sy < 0 ? 0 : sy > lastY ? lastY : sy;
      const x0 = cx | 0;
      const y0 = cy | 0;
      const fx = cx - x0;
      const fy = cy - y0;
      const at = y0 * sourceWidth + x0;
      const right = x0 < lastX ? 1 : 0;
      const down = y0 < lastY ? sourceWidth : 0;
      const top = source[at]! + (source[at + right]! - source[at]!) * fx;
      const bottom = source[at + down]! + (source[at + down + right]! - source[at + down]!) * fx;
      data[row + x] = top + (bottom - top) * fy + 0.5;
    }
  }
  return { image: { data, width, height }, map };
}
