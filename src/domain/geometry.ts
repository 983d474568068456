/**
 * An affine map of the plane: (x, y) ↦ (a·x + c·y + e, b·x + d·y + f). Coordinates are pixels, x to the right, y down,
 * and (0, 0) is the outer corner of the first pixel, so a box that covers one pixel is (0, 0, 1, 1).
 */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** An axis-parallel box, x0 ≤ x1 and y0 ≤ y1. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** The map that stretches by `sx` and `sy` about the origin. */
export function scaling(sx: number, sy: number): Affine {
  return { a: sx, b: 0, c: 0, d: sy, e: 0, f: 0 };
}

/** The map that turns an image of `width` × `height` by a quarter turn (clockwise) and puts it back at the origin. */
export function quarterTurn(rotation: 0 | 90 | 180 | 270, width: number, height: number): Affine {
  switch (rotation) {
    case 0:
      return IDENTITY;
    case 90:
      return { a: 0, b: 1, c: -1, d: 0, e: height, f: 0 };
    case 180:
      return { a: -1, b: 0, c: 0, d: -1, e: width, f: height };
    case 270:
      return { a: 0, b: -1, c: 1, d: 0, e: 0, f: width };
  }
}

/**
 * The map that turns an image of `width` × `height` by `degrees` (clockwise as seen, about its centre) onto the smallest
 * canvas of whole pixels that holds it.
 */
export function turnOntoCanvas(
  degrees: number,
  width: number,
  height: number,
): { map: Affine; width: number; height: number } {
  const radians = (degrees * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const canvasWidth = Math.ceil(width * Math.abs(cos) + height * Math.abs(sin) - 1e-9);
  const canvasHeight = Math.ceil(width * Math.abs(sin) + height * Math.abs(cos) - 1e-9);
  return {
    map: {
      a: cos,
      b: sin,
      c: -sin,
      d: cos,
      e: canvasWidth / 2 - (cos * width) / 2 + (sin * height) / 2,
      f: canvasHeight / 2 - (sin * width) / 2 - (cos * height) / 2,
    },
    width: canvasWidth,
    height: canvasHeight,
  };
}

/** The map that does `first`, then `second`. */
export function chain(first: Affine, second: Affine): Affine {
  return {
    a: second.a * first.a + second.c * first.b,
    b: second.b * first.a + second.d * first.b,
    c: second.a * first.c + second.c * first.d,
    d: second.b * first.c + second.d * first.d,
    e: second.a * first.e + second.c * first.f + second.e,
    f: second.b * first.e + second.d * first.f + second.f,
  };
}

/** The map that undoes `map`. Throws RangeError if `map` flattens the plane. */
export function invert(map: Affine): Affine {
  const determinant = map.a * map.d - map.b * map.c;
  if (determinant === 0 || !Number.isFinite(determinant)) throw new RangeError('the map cannot be undone');
  return {
    a: map.d / determinant,
    b: -map.b / determinant,
    c: -map.c / determinant,
    d: map.a / determinant,
    e: (map.c * map.f - map.d * map.e) / determinant,
    f: (map.b * map.e - map.a * map.f) / determinant,
  };
}

/** Where the point goes. */
export function mapPoint(map: Affine, x: number, y: number): [number, number] {
  return [map.a * x + map.c * y + map.e, map.b * x + map.d * y + map.f];
}

/** The smallest axis-parallel box around the image of `box`. */
export function mapBox(map: Affine, box: Box): Box {
  const corners = [
    mapPoint(map, box.x0, box.y0),
    mapPoint(map, box.x1, box.y0),
    mapPoint(map, box.x0, box.y1),
    mapPoint(map, box.x1, box.y1),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

/** The box grown to whole pixels and cut at the edges of an image of `width` × `height`. */
export function toPixels(box: Box, width: number, height: number): Box {
  const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  return {
    x0: clamp(Math.floor(box.x0 + 1e-6), width),
    y0: clamp(Math.floor(box.y0 + 1e-6), height),
    x1: clamp(Math.ceil(box.x1 - 1e-6), width),
    y1: clamp(Math.ceil(box.y1 - 1e-6), height),
  };
}
