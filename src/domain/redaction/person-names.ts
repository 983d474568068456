import { COMPANY_WORDS, FORM_WORDS, PARTICLES, TITLES } from './name-words.ts';

/** A place in a string: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const MOST_NAMES = 4;
const MOST_PARTICLES = 3;
/** Words after a name that are looked at for what makes a company of it. */
const LOOK_AHEAD = 4;

/**
 * Where the name of a person stands at the beginning of a text, such as what follows a label; undefined when a company,
 * a word of the form or no name stands there. It goes on in the next line where the line before cannot be all of it.
 */
export function leadingName(text: string): Span | undefined {
  const tokens = tokensOf(text);
  const titles = tokens.findIndex((token, i) => !TITLES.has(token.text) || i === tokens.length - 1);
  const name = nameTokens(tokens.slice(Math.max(0, titles)), titles > 0);
  const [first, last] = [tokens[0], name.at(-1)];
  if (first === undefined || last === undefined || !name.some((token) => isWordOfName(token)))
    return undefined;
  const after = tokens.slice(tokens.indexOf(last) + 1);
  const other = after.findIndex(
    (token) => token.line !== last.line || token.gap > 1 || !/^[\p{L}&(]/u.test(token.text),
  );
  const beside = after.slice(0, other < 0 ? LOOK_AHEAD : Math.min(other, LOOK_AHEAD));
  if ([...name, ...beside].some(makesCompany)) return undefined;
  return { start: first.start, end: last.end - (/[,;]+$/u.exec(last.text)?.[0].length ?? 0) };
}

/** Where names of people stand anywhere in a text: two words at least, initials counted, or one with a title. */
export function namesIn(text: string): Span[] {
  const found: Span[] = [];
  const tokens = tokensOf(text);
  let free = 0;
  for (const { start, text: word } of tokens) {
    if (start < free || (!isNameLike(word) && !TITLES.has(word))) continue;
    const name = leadingName(text.slice(start));
    if (name === undefined) {
      free = endOfCompany(tokens, start);
      continue;
    }
    const end = start + name.end;
    if (/\s/u.test(text.slice(start, end))) found.push({ start, end });
    free = end;
  }
  return found;
}

/** The words of the name at the beginning of these, particles included. */
function nameTokens(tokens: readonly Token[], hasTitle: boolean): Token[] {
  const name: Token[] = [];
  for (let names = 0; names < MOST_NAMES; names += 1) {
    const rest = tokens.slice(name.length);
    const particles = rest.findIndex((token) => !isParticle(token, name.length > 0));
    const [begin, word] = [rest[0], rest[particles]];
    if (begin === undefined || word === undefined || particles > MOST_PARTICLES || !isNameLike(word.text))
      break;
    const last = name.at(-1);
    if (
      last !== undefined &&
      (begin.gap > 2 || word.gap > 2 || !follows(last, begin, rest[particles + 1], names, hasTitle))
    )
      break;
    name.push(...rest.slice(0, particles + 1));
    const isSurnameFirst = names === 0 && word.text.endsWith(',');
    if (/[,;]$/u.test(word.text) && !isSurnameFirst) break;
    if (word.text.endsWith('.') && word.text.length > 4) break;
  }
  return name;
}

/** Whether what comes next may belong to the name: it stands on the same line, or the line before cannot be all of it. */
function follows(
  last: Token,
  next: Token,
  after: Token | undefined,
  names: number,
  hasTitle: boolean,
): boolean {
  if (next.line > last.line + 2) return false;
  if (next.line === last.line) return true;
  const isAlone = after?.line !== next.line || FORM_WORDS.has(after.text);
  return /[-.,]$/u.test(last.text) || isParticle(last, true) || (names === 1 && (isAlone || hasTitle));
}

interface Token extends Span {
  readonly text: string;
  readonly line: number;
  /** Blanks before it on its line. */
  readonly gap: number;
}

function tokensOf(text: string): Token[] {
  let line = 0;
  let before = 0;
  return Array.from(text.matchAll(/\S+/gu), (match) => {
    const between = text.slice(before, match.index);
    line += between.split('\n').length - 1;
    before = match.index + match[0].length;
    const gap = between.includes('\n') ? 0 : between.length;
    return { text: match[0], line, gap, start: match.index, end: before };
  });
}

/** An initial, or a capital and letters, of which OCR may have made digits. */
function isNameLike(word: string): boolean {
  const bare = bareWord(word);
  if (/^\p{Lu}\.$/u.test(word)) return true;
  if (FORM_WORDS.has(bare) || PARTICLES.has(bare)) return false;
  return /^(?:\p{Lu}\.?){1,3}$/u.test(bare) || /^[0158]\.$/.test(word) || isFullWord(bare);
}

/** Whether it is more than an initial. */
function isWordOfName({ text }: Token): boolean {
  return isFullWord(bareWord(text)) && !TITLES.has(text);
}

function isFullWord(bare: string): boolean {
  const letters = bare.match(/\p{L}/gu)?.length ?? 0;
  return (
    /^(?:[\p{Lu}0158|]|l(?=[\p{Lu}b-df-hj-np-tv-z]))[\p{L}\p{M}'’`´.\-–0158|]+$/u.test(bare) &&
    letters >= 2 &&
    letters * 2 > bare.length
  );
}

/** A small word within a name; after the first word of it any that is short and no word of the form, for OCR damages them. */
function isParticle({ text }: Token, isWithin: boolean): boolean {
  return PARTICLES.has(text) || (isWithin && /^[\p{Ll}0158|]{2,3}$/u.test(text) && !FORM_WORDS.has(text));
}

function makesCompany({ text }: Token): boolean {
  return text === '&' || COMPANY_WORDS.has(text.replace(/\./g, ''));
}

/** Where the words beside a word that make a company of it end; its own end where there are none. */
function endOfCompany(tokens: readonly Token[], start: number): number {
  const from = tokens.findIndex((token) => token.start === start);
  const [own] = tokens.slice(from);
  const beside = tokens.slice(from, from + LOOK_AHEAD + 1).filter((token) => token.line === own?.line);
  return beside.findLast(makesCompany)?.end ?? own?.end ?? start;
}

function bareWord(word: string): string {
  return word.replace(/[.,;]+$/u, '');
}
