import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chain,
  invert,
  mapBox,
  mapPoint,
  quarterTurn,
  scaling,
  toPixels,
} from '../../src/domain/geometry.ts';
import type { Box } from '../../src/domain/geometry.ts';
import { turnQuarter } from '../../src/ocr/child/grey-image.ts';
import type { GreyImage } from '../../src/ocr/child/grey-image.ts';
import { level } from '../../src/ocr/child/level.ts';

/** A white page with one black rectangle. */
function pageWith({ x0, y0, x1, y1 }: Box, width: number, height: number): GreyImage {
  const data = new Uint8Array(width * height).fill(255);
  for (let y = y0; y < y1; y += 1) data.fill(0, y * width + x0, y * width + x1);
  return { data, width, height };
}

/** The box around everything darker than half grey, found by looking. */
function darkBox({ data, width, height }: GreyImage): Box {
  let box = { x0: width, y0: height, x1: 0, y1: 0 };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] ?? 255) >= 128) continue;
      box = {
        x0: Math.min(box.x0, x),
        y0: Math.min(box.y0, y),
        x1: Math.max(box.x1, x + 1),
        y1: Math.max(box.y1, y + 1),
      };
    }
  }
  return box;
}

const RECTANGLE: Box = { x0: 120, y0: 80, x1: 220, y1: 100 };

for (const rotation of [0, 90, 180, 270] as const) {
  test(`a quarter turn of ${rotation}° maps boxes to where the pixels go, and back`, () => {
    const page = pageWith(RECTANGLE, 400, 300);
    const map = quarterTurn(rotation, 400, 300);
    assert.deepEqual(darkBox(turnQuarter(page, rotation)), mapBox(map, RECTANGLE));
    assert.deepEqual(mapBox(invert(map), mapBox(map, RECTANGLE)), RECTANGLE);
  });
}

for (const degrees of [-5, -0.3, 2.3, 45]) {
  test(`levelling by ${degrees}° moves pixels to where its map says`, () => {
    const { image, map } = level(pageWith(RECTANGLE, 400, 300), degrees);
    const seen = darkBox(image);
    const computed = mapBox(map, RECTANGLE);
    for (const side of ['x0', 'y0', 'x1', 'y1'] as const) {
      assert.ok(
        Math.abs(seen[side] - computed[side]) <= 1,
        `${side}: saw ${seen[side]}, computed ${computed[side]}`,
      );
    }
  });
}

test('levelling keeps every corner of the page on its canvas', () => {
  const { image, map } = level(pageWith(RECTANGLE, 400, 300), 7);
  for (const [x, y] of [
    [0, 0],
    [400, 0],
    [0, 300],
    [400, 300],
  ] as const) {
    const [mx, my] = mapPoint(map, x, y);
    assert.ok(
      mx >= -1e-9 && my >= -1e-9 && mx <= image.width + 1e-9 && my <= image.height + 1e-9,
      `${x},${y}`,
    );
  }
});

test('a box that went through turn, levelling and unequal scales comes back around the rectangle it came from', () => {
  const page = pageWith(RECTANGLE, 400, 300);
  const turned = turnQuarter(page, 270);
  const levelled = level(turned, 3);
  const there = chain(chain(quarterTurn(270, 400, 300), levelled.map), scaling(1.5, 1.5));
  const original = chain(scaling(1, 2), there);
  const seen = darkBox(levelled.image);
  const box = mapBox(invert(original), {
    x0: seen.x0 * 1.5,
    y0: seen.y0 * 1.5,
    x1: seen.x1 * 1.5,
    y1: seen.y1 * 1.5,
  });
  // The page as delivered had half as many lines an inch: y is halved. A box of a leaning rectangle is larger than it by
  // what the rectangle leans, sin 3° of its length, and again when it is leant back.
  const lean = 2 * Math.sin((3 * Math.PI) / 180) * 100 + 2;
  const expected = { x0: 120, y0: 40, x1: 220, y1: 50 };
  for (const side of ['x0', 'y0'] as const) {
    assert.ok(box[side] <= expected[side] + 1 && box[side] >= expected[side] - lean, `${side}: ${box[side]}`);
  }
  for (const side of ['x1', 'y1'] as const) {
    assert.ok(box[side] >= expected[side] - 1 && box[side] <= expected[side] + lean, `${side}: ${box[side]}`);
  }
});

test('boxes are grown to whole pixels and cut at the edges of the page', () => {
  assert.deepEqual(toPixels({ x0: -3.2, y0: 1.7, x1: 9.1, y1: 30 }, 20, 25), {
    x0: 0,
    y0: 1,
    x1: 10,
    y1: 25,
  });
});

test('a map that flattens the plane cannot be undone', () => {
  assert.throws(() => invert(scaling(0, 1)), RangeError);
});
