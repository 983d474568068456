import { damaged } from './damage.ts';
import { VALIDATORS } from './validators.ts';
import type { Validator } from './validators.ts';

/** One rule as it is stored: a pattern over the text, or a region of the page. */
export interface RedactionRule {
  readonly rule: string;
  /** Kind of data; shown in place of it. */
  readonly reason: string;
  /** Kind of document it is for; null for all. */
  readonly documentKind: string | null;
  /**
   * Regular expression (flags i and u); its group `value`, where it has one, is what is masked. «words» stands for these
   * words as OCR may have damaged them; `9` in them is any digit, `|` separates alternatives.
   */
  readonly pattern: string | null;
  /** Name of a check that a match must pass. */
  readonly validator: string | null;
  /** Box as x0, y0, x1, y1 in parts (0 to 1) of the upright page. */
  readonly region: readonly number[] | null;
}

/** A rule set, ready to be applied. */
export interface CompiledRules {
  readonly patterns: readonly PatternRule[];
  readonly regions: readonly RegionRule[];
}

export interface PatternRule {
  readonly rule: string;
  readonly reason: string;
  readonly documentKind: string | null;
  readonly pattern: RegExp;
  readonly validate: Validator | undefined;
}

export interface RegionRule {
  readonly rule: string;
  readonly reason: string;
  readonly documentKind: string | null;
  readonly region: readonly [number, number, number, number];
}

/** Makes rules ready; throws RangeError naming the rule where one cannot be: then nothing may be redacted by the set. */
export function compileRules(rules: readonly RedactionRule[]): CompiledRules {
  const patterns: PatternRule[] = [];
  const regions: RegionRule[] = [];
  for (const { rule, reason, documentKind, pattern, validator, region } of rules) {
    if ((pattern === null) === (region === null))
      throw new RangeError(`rule "${rule}" is neither a pattern nor a region`);
    if (region !== null) {
      const [x0 = -1, y0 = -1, x1 = -1, y1 = -1] = region;
      const isBox = region.length === 4 && 0 <= x0 && x0 < x1 && x1 <= 1 && 0 <= y0 && y0 < y1 && y1 <= 1;
      if (!isBox) throw new RangeError(`the region of rule "${rule}" is no box in parts of the page`);
      regions.push({ rule, reason, documentKind, region: [x0, y0, x1, y1] });
    }
    if (pattern === null) continue;
    const validate =
      validator === null ? undefined : Object.hasOwn(VALIDATORS, validator) && VALIDATORS[validator];
    if (validate === false) throw new RangeError(`rule "${rule}" names the unknown validator "${validator}"`);
    patterns.push({ rule, reason, documentKind, pattern: compilePattern(rule, pattern), validate });
  }
  return { patterns, regions };
}

function compilePattern(rule: string, pattern: string): RegExp {
  const source = pattern.replace(/«([^«»]*)»/gu, (_, words: string) => `(?:${damaged(words)})`);
  try {
    return new RegExp(source, 'dgiu');
  } catch (cause) {
    throw new RangeError(`the pattern of rule "${rule}" is not a regular expression`, { cause });
  }
}
