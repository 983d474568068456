import type { Random } from './random.ts';
import { Raster } from './raster.ts';

/** One step from a clean print to what a scanner, a phone or a tired printer head makes of it. */
export type Step = (page: Raster, random: Random) => Raster;

/** Applies steps in order. */
export function degrade(page: Raster, random: Random, steps: readonly Step[]): Raster {
  return steps.reduce((current, step) => step(current, random), page);
}

function mapped(page: Raster, change: (value: number, index: number) => number): Raster {
  const data = new Uint8Array(page.data.length);
  for (let i = 0; i < data.length; i++)
    data[i] = Math.max(0, Math.min(255, Math.round(change(page.data[i]!, i))));
  return new Raster(page.width, page.height, page.channels, data);
}

/** Black becomes `ink` and white becomes `paper`: the tone of ink and paper, 0 to 255. */
export function tone(ink: number, paper: number): Step {
  return (page) => mapped(page, (value) => ink + (value / 255) * (paper - ink));
}

/** Grain of a standard deviation in grey levels (a sum of four even numbers stands in for the bell curve). */
export function grain(sigma: number): Step {
  const scale = sigma * Math.sqrt(3);
  return (page, random) => {
    const pixels = new Float64Array(page.width * page.height);
    for (let i = 0; i < pixels.length; i++) {
      pixels[i] = (random.unit() + random.unit() + random.unit() + random.unit() - 2) * scale;
    }
    return mapped(page, (value, i) => value + pixels[page.channels === 1 ? i : Math.floor(i / 3)]!);
  };
}

/** Softens by a 3 x 3 kernel whose outer weight is `amount` (0 to 1/3, which is a plain mean). */
export function soften(amount: number): Step {
  const along = (page: Raster, step: number): Raster => {
    const last = page.data.length - 1;
    return mapped(page, (value, i) => {
      const before = page.data[Math.max(0, i - step)]!;
      const after = page.data[Math.min(last, i + step)]!;
      return value * (1 - 2 * amount) + (before + after) * amount;
    });
  };
  return (page) => along(along(page, page.channels), page.width * page.channels);
}

/** Light falls off towards the lower right corner: by `strength` (0 to 1) at the darkest place. */
export function unevenLight(strength: number): Step {
  return (page) =>
    mapped(page, (value, i) => {
      const pixel = page.channels === 1 ? i : Math.floor(i / 3);
      const row = Math.floor(pixel / page.width);
      const far = Math.min(1, ((pixel - row * page.width) / page.width) * 0.7 + (row / page.height) * 0.5);
      return value * (1 - strength * far * Math.sqrt(far));
    });
}

/** Pale vertical streaks where dots of a thermal head are worn out: `count` of them, each one to two pixels wide. */
export function streaks(count: number, paper: number): Step {
  return (page, random) => {
    const worn = new Float64Array(page.width);
    for (let i = 0; i < count; i++) {
      const at = random.int(0, page.width - 2);
      worn[at] = 0.55;
      worn[at + 1] = 0.25;
    }
    return mapped(page, (value, i) => {
      const share = worn[Math.floor(i / page.channels) % page.width]!;
      return value * (1 - share) + paper * share;
    });
  };
}

/** Round holes of a ring binder at the left edge, as dark as a scanner's lid; size in pixels per mm. */
export function punchHoles(dark: number): Step {
  return (page) => {
    const mm = page.width / 210;
    const copy = mapped(page, (value) => value);
    for (const centre of [page.height / 2 - 40 * mm, page.height / 2 + 40 * mm]) {
      for (let y = Math.floor(centre - 3 * mm); y <= centre + 3 * mm; y++) {
        for (let x = Math.floor(2.5 * mm); x <= 8.5 * mm; x++) {
          const [dx, dy] = [x - 5.5 * mm, y - centre];
          if (dx * dx + dy * dy > 9 * mm * mm) continue;
          for (let c = 0; c < page.channels; c++) copy.data[(y * page.width + x) * page.channels + c] = dark;
        }
      }
    }
    return copy;
  };
}

/** Lone black and white dots with a probability each, as on bilevel scans of dusty glass. */
export function speckle(share: number): Step {
  return (page, random) =>
    mapped(page, (value) => {
      const chance = random.unit();
      return chance < share ? 0 : chance > 1 - share ? 255 : value;
    });
}

/** Black or white only. */
export function bilevel(threshold: number): Step {
  return (page) => mapped(page, (value) => (value > threshold ? 255 : 0));
}

/**
 * Turns the page counter-clockwise by a small angle on a larger sheet of `paper` grey. The sine and cosine come from
 * the half angle's tangent by division alone: library sines may differ in their last bit between machines.
 */
export function skew(degrees: number, paper: number): Step {
  const radians = (degrees * 355) / (113 * 180);
  const half = radians / 2;
  const tangent = half + (half * half * half) / 3;
  const cos = (1 - tangent * tangent) / (1 + tangent * tangent);
  const sin = (2 * tangent) / (1 + tangent * tangent);
  return (page) => {
    const width = Math.ceil(page.width * cos + page.height * Math.abs(sin));
    const height = Math.ceil(page.height * cos + page.width * Math.abs(sin));
    const turned = new Raster(width, height, page.channels, paper);
    const pixel = (x: number, y: number, c: number): number =>
      x < 0 || y < 0 || x >= page.width || y >= page.height
        ? paper
        : page.data[(y * page.width + x) * page.channels + c]!;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [dx, dy] = [x - width / 2, y - height / 2];
        const [sx, sy] = [dx * cos - dy * sin + page.width / 2, dx * sin + dy * cos + page.height / 2];
        const [left, top] = [Math.floor(sx), Math.floor(sy)];
        const [fx, fy] = [sx - left, sy - top];
        for (let c = 0; c < page.channels; c++) {
          const upper = pixel(left, top, c) * (1 - fx) + pixel(left + 1, top, c) * fx;
          const lower = pixel(left, top + 1, c) * (1 - fx) + pixel(left + 1, top + 1, c) * fx;
          turned.data[(y * width + x) * page.channels + c] = Math.round(upper * (1 - fy) + lower * fy);
        }
      }
    }
    return turned;
  };
}

/** Turns the page clockwise by quarter turns, pixel by pixel. */
export function quarterTurns(turns: 1 | 2 | 3): Step {
  return (page) => {
    let current = page;
    for (let turn = 0; turn < turns; turn++) {
      const source = current;
      const next = new Raster(source.height, source.width, source.channels, 0);
      for (let y = 0; y < source.height; y++) {
        for (let x = 0; x < source.width; x++) {
          for (let c = 0; c < source.channels; c++) {
            const to = (x * next.width + (next.width - 1 - y)) * source.channels + c;
            next.data[to] = source.data[(y * source.width + x) * source.channels + c]!;
          }
        }
      }
      current = next;
    }
    return current;
  };
}
