import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import opentype from 'opentype.js';
import type { Font, Glyph, PathCommand } from 'opentype.js';
import type { Point } from './raster.ts';

/** The faces the pages use: a sans, a serif and a monospaced family (SIL Open Font License 1.1). */
export type FontName = 'sans' | 'sans-bold' | 'serif' | 'serif-bold' | 'mono' | 'mono-bold';

const FILES: Record<FontName, string> = {
  sans: '@fontsource/arimo/files/arimo-latin-400-normal.woff',
  'sans-bold': '@fontsource/arimo/files/arimo-latin-700-normal.woff',
  serif: '@fontsource/tinos/files/tinos-latin-400-normal.woff',
  'serif-bold': '@fontsource/tinos/files/tinos-latin-700-normal.woff',
  mono: '@fontsource/cousine/files/cousine-latin-400-normal.woff',
  'mono-bold': '@fontsource/cousine/files/cousine-latin-700-normal.woff',
};

const loaded = new Map<FontName, Font>();

function load(name: FontName): Font {
  let font = loaded.get(name);
  if (!font) {
    const bytes = readFileSync(createRequire(import.meta.url).resolve(FILES[name]));
    font = opentype.parse(new Uint8Array(bytes).buffer);
    loaded.set(name, font);
  }
  return font;
}

/** Width of a text, in the unit of `size` (the em). Throws if the face lacks a character, as a missing glyph is a lie. */
export function measureText(name: FontName, text: string, size: number): number {
  const font = load(name);
  let units = 0;
  for (const character of text) units += glyphOf(font, name, character).advanceWidth;
  return (units * size) / font.unitsPerEm;
}

/** Outlines of a text whose baseline starts at (x, y) pixels, for `Raster.fill`, one group per glyph. */
export function outlineText(name: FontName, text: string, x: number, y: number, size: number): Point[][][] {
  const font = load(name);
  const scale = size / font.unitsPerEm;
  let pen = x;
  return Array.from(text, (character) => {
    const glyph = glyphOf(font, name, character);
    const outlines = flatten(glyph.path.commands, pen, y, scale);
    pen += glyph.advanceWidth * scale;
    return outlines;
  });
}

function glyphOf(font: Font, name: FontName, character: string): Glyph {
  const glyph = font.charToGlyph(character);
  if (glyph.index === 0) throw new Error(`The face ${name} has no glyph for ${JSON.stringify(character)}.`);
  return glyph;
}

/** Curves become eight straight pieces each: below a tenth of a pixel at the sizes used here. */
function flatten(commands: readonly PathCommand[], x: number, y: number, scale: number): Point[][] {
  const steps = 8;
  const at = (px: number, py: number): Point => [x + px * scale, y - py * scale];
  const outlines: Point[][] = [];
  let current: Point[] = [];
  let [cx, cy] = [0, 0];
  for (const command of commands) {
    if (command.type === 'M') {
      current = [];
      outlines.push(current);
    }
    if (command.type === 'Z') continue;
    if (command.type === 'Q' || command.type === 'C') {
      for (let i = 1; i < steps; i++) {
        const t = i / steps;
        const u = 1 - t;
        const [px, py] =
          command.type === 'Q'
            ? [
                u * u * cx + 2 * u * t * command.x1 + t * t * command.x,
                u * u * cy + 2 * u * t * command.y1 + t * t * command.y,
              ]
            : [
                u * u * u * cx +
                  3 * u * u * t * command.x1 +
                  3 * u * t * t * command.x2 +
                  t * t * t * command.x,
                u * u * u * cy +
                  3 * u * u * t * command.y1 +
                  3 * u * t * t * command.y2 +
                  t * t * t * command.y,
              ];
        current.push(at(px, py));
      }
    }
    current.push(at(command.x, command.y));
    [cx, cy] = [command.x, command.y];
  }
  return outlines;
}
