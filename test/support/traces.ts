import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Some bytes that would give away what they were taken from. */
export interface Trace {
  /** What it was taken from, where, and how it is written. */
  readonly name: string;
  readonly bytes: Buffer;
}

const WINDOW_BYTES = 64;
/** Long enough to happen nowhere by chance, short enough to be found in lines of base64. */
const CODED_BYTES = 30;
/** Windows of fewer different bytes are headers and blank paper, which other files have too. */
const LEAST_VARIETY = 40;

/**
 * Windows of content, spread over it, as they would look copied, as hex, or within longer base64 however that is aligned.
 * Content that has no window of some variety, such as a short text, is one window.
 */
export function tracesOf(name: string, content: Buffer, count = 8): Trace[] {
  const starts = content.length <= WINDOW_BYTES ? [0] : windowStarts(content, count);
  return starts.flatMap((start) => {
    const window = content.subarray(start, start + WINDOW_BYTES);
    return [window, ...hexOf(window), ...base64Of(window)].map((bytes, way) => ({
      name: `${name}, byte ${String(start)}${way === 0 ? '' : way <= 2 ? ', as hex' : ', as base64'}`,
      bytes,
    }));
  });
}

function windowStarts(content: Buffer, count: number): number[] {
  const starts: number[] = [];
  const stride = Math.floor((content.length - WINDOW_BYTES) / count);
  for (let part = 0; part < count; part += 1) {
    const from = part * stride;
    const varied = [0, 0.2, 0.4, 0.6, 0.8]
      .map((share) => from + Math.floor(stride * share))
      .find((start) => new Set(content.subarray(start, start + WINDOW_BYTES)).size >= LEAST_VARIETY);
    if (varied !== undefined) starts.push(varied);
  }
  return starts.length > 0 ? starts : [0];
}

function hexOf(window: Buffer): Buffer[] {
  const hex = window.subarray(0, CODED_BYTES).toString('hex');
  return [Buffer.from(hex), Buffer.from(hex.toUpperCase())];
}

/** Three bytes become four letters, so there are three ways to be aligned; both alphabets. */
function base64Of(window: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((shift) => {
    const coded = window.subarray(shift, shift + CODED_BYTES);
    const whole = coded.subarray(0, coded.length - (coded.length % 3));
    return [Buffer.from(whole.toString('base64')), Buffer.from(whole.toString('base64url'))];
  });
}

/** Traces of words, as they are and as hex: for places that hold no more than facts about documents. */
export function tracesOfWords(words: readonly string[]): Trace[] {
  return words.flatMap((word) => [
    { name: `"${word}"`, bytes: Buffer.from(word) },
    { name: `"${word}", as hex`, bytes: Buffer.from(Buffer.from(word).toString('hex')) },
  ]);
}

/** Searches for many traces in one pass; made once, used on much. */
export class TraceSearch {
  readonly #byBeginning = new Map<number, Trace[]>();
  readonly #mayBegin = new Uint8Array(65_536);
  /** Bytes looked at so far, so that a test can say that it looked. */
  searched = 0;

  constructor(traces: readonly Trace[]) {
    for (const trace of traces) {
      if (trace.bytes.length < 4) throw new Error(`${trace.name} is too short to look for`);
      const beginning = trace.bytes.readUInt32LE(0);
      const known = this.#byBeginning.get(beginning);
      if (known) known.push(trace);
      else this.#byBeginning.set(beginning, [trace]);
      this.#mayBegin[trace.bytes.readUInt16LE(0)] = 1;
    }
  }

  /** What is found, as "trace in place", each trace once. */
  in(place: string, content: Buffer): string[] {
    const found = new Set<string>();
    const mayBegin = this.#mayBegin;
    this.searched += content.length;
    for (let at = 0; at + 4 <= content.length; at += 1) {
      if (mayBegin[content[at]! | (content[at + 1]! << 8)] === 0) continue;
      for (const trace of this.#byBeginning.get(content.readUInt32LE(at)) ?? []) {
        const { bytes, name } = trace;
        if (content.compare(bytes, 0, bytes.length, at, Math.min(at + bytes.length, content.length)) === 0) {
          found.add(`${name} in ${place}`);
        }
      }
    }
    return [...found];
  }

  /** The same for every file below a folder; what vanishes meanwhile, and what is no file, is left out. */
  below(folder: string): string[] {
    return filesBelow(folder).flatMap((path) => {
      let content: Buffer;
      try {
        content = readFileSync(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
      return this.in(path, content);
    });
  }
}

/** The paths of all regular files below a folder; none if it is missing. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
