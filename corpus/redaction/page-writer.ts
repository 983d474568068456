import type { Random } from '../random.ts';
import { damage } from './ocr-damage.ts';

/** A part of a text; places are UTF-16 code units. */
export interface Place {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

export interface PlantedItem extends Place {
  readonly isSplit: boolean;
  readonly isDamaged: boolean;
}

/** A page as an engine reads it, with what was planted on it and what must stay readable. */
export interface PlantedPage {
  readonly documentKind: string;
  readonly width: number;
  readonly height: number;
  readonly rotation: 0;
  readonly text: string;
  readonly words: [text: string, confidence: number, x0: number, y0: number, x1: number, y1: number][];
  readonly items: readonly PlantedItem[];
  readonly decoys: readonly Place[];
}

const SPLIT_SHARE = 0.15;
const DAMAGED_SHARE = 0.3;
const LABEL_DAMAGED_SHARE = 0.15;
const [WIDTH, HEIGHT, CHARACTER, LINE] = [1_650, 2_340, 11, 34];

/** Writes one page from top to bottom, as text. */
export class PageWriter {
  readonly #random: Random;
  readonly #documentKind: string;
  readonly #items: PlantedItem[] = [];
  readonly #decoys: Place[] = [];
  #text = '';

  constructor(random: Random, documentKind: string) {
    this.#random = random;
    this.#documentKind = documentKind;
  }

  /** Plain text of the form. */
  text(text: string): this {
    this.#text += text;
    return this;
  }

  /** A label, which OCR may have damaged, and what separates it from its value: a blank or two, dots, or a line break. */
  label(label: string): this {
    if (label === '') return this;
    const random = this.#random;
    const read = random.unit() < LABEL_DAMAGED_SHARE ? damage(random, label) : label;
    const colon = label.endsWith(':') ? '' : random.pick([':', ':', '', '.']);
    return this.text(`${read}${colon}${random.pick([' ', ' ', ' ', '  ', '\n', '\n\n', ' ____ '])}`);
  }

  /** Personal data: must be masked, every character of it. */
  item(kind: string, value: string): this {
    const random = this.#random;
    const isDamaged = random.unit() < DAMAGED_SHARE;
    const read = isDamaged ? damage(random, value, { misread: true }) : value;
    const breaks = Array.from(read.matchAll(kind === 'email' ? /[@©®._-]/g : / /g), (match) => match.index);
    const isSplit = breaks.length > 0 && random.unit() < SPLIT_SHARE;
    const at = isSplit ? random.pick(breaks) : 0;
    const written = isSplit
      ? `${read.slice(0, kind === 'email' ? at + 1 : at)}\n${read.slice(at + 1)}`
      : read;
    const start = this.#text.length;
    this.#text += written;
    this.#items.push({
      kind,
      start,
      end: this.#text.length,
      isSplit: isSplit || value.includes('\n'),
      isDamaged: read !== value,
    });
    return this;
  }

  /** What analysts need: must stay readable. */
  decoy(kind: string, value: string): this {
    const start = this.#text.length;
    this.#text += value;
    this.#decoys.push({ kind, start, end: this.#text.length });
    return this;
  }

  line(): this {
    return this.text(this.#random.pick(['\n', '\n', '\n\n']));
  }

  finish(): PlantedPage {
    const words: PlantedPage['words'] = [];
    this.#text.split('\n').forEach((line, row) => {
      for (const match of line.matchAll(/\S+/gu)) {
        const x0 = 60 + match.index * CHARACTER;
        const y0 = 40 + row * LINE;
        words.push([match[0], 90, x0, y0, x0 + match[0].length * CHARACTER, y0 + LINE - 8]);
      }
    });
    return {
      documentKind: this.#documentKind,
      width: WIDTH,
      height: HEIGHT,
      rotation: 0,
      text: this.#text,
      words,
      items: this.#items,
      decoys: this.#decoys,
    };
  }
}
