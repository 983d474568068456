/** A place in a string: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const HONORIFICS = words(
  'mr mrs ms miss mx dr prof herr frau hr fr mme mlle m sr sra srta sig capt captain ing dhr mevr',
);
const PARTICLES = words(
  'van von der den de del della di da do dos du la le el al bin ben ibn af av zu zum zur ter ten y e',
);
/** Words that make the name of a company of what they stand in. */
const COMPANY = words(
  `ltd limited inc incorporated llc llp plc corp corporation co company gmbh mbh ag kg kgaa ug ohg bv nv sa sas sarl spa srl
   sro as ab oy oyj aps asa kft zrt doo sl lda ltda pty pte pvt sp zoo cooperativa cooperative group holding holdings
   logistics logistik logistique shipping freight forwarding transport transports transporte trucking haulage lines line
   cargo express courier parcel foods trading traders industries industrial manufacturing services service solutions
   warehouse warehousing terminal terminals port ports depot agency agencies international export import bank university
   supply chain papper steinzeug timber tools refrigeration coffee forge fitting steel chemicals motors bros brothers sons`,
);
/** Words of forms, which are no names wherever they stand. */
const FORM = words(
  `date time signature signed sign stamp name names title position tel telephone phone mobile fax email mail id no nr number
   ref reference vehicle truck trailer plate reg registration licence license passport company address contact driver
   carrier shipper consignee receiver sender agent goods received delivered by for the and of on at in to from print printed
   block capitals place port vessel voyage container seal seals page total weight gross net tare kg pieces packages remarks
   remark comments condition good order see above below same none unknown nil na tbd tba pending attached copy original
   office officer manager supervisor clerk checker checked inspector surveyor master mate chief operator department dept
   gate berth dock ramp lane shift route stop receipt note bill lading invoice order customs declaration hs code dob born
   birth nationality card account iban bic swift visa mastercard waited called refused monday tuesday wednesday thursday
   friday saturday sunday january february march april may june july august september october november december jan feb mar
   apr jun jul aug sep sept oct nov dec am pm utc hrs not applicable telefon tfno tél datum unterschrift fecha firma data
   personal national identity document release authority collection collected pickup yes box boxes carton cartons pallet
   pallets full empty damaged damage short mr mrs`,
);
const MOST_NAMES = 4;

/**
 * Where the name of a person stands at the beginning of a text, such as what follows a label; undefined when a company,
 * a word of the form or no name stands there. Goes on in the next line only after a given name alone.
 */
export function leadingName(text: string): Span | undefined {
  const tokens = tokensOf(text);
  let next = 0;
  while (isIn(HONORIFICS, tokens[next]?.text) && tokens.length > next + 1) next += 1;
  const first = next;
  let names = 0;
  let last: Token | undefined;
  for (; next < tokens.length && names < MOST_NAMES; next += 1) {
    const token = tokens[next]!;
    if (token.line > (last?.line ?? token.line) && !goesOn(names, tokens, next)) break;
    if (last !== undefined && isParticle(token) && isNameLike(tokens[next + 1])) continue;
    if (last === undefined && isParticle(token) && isNameLike(tokens[next + 1])) continue;
    if (!isNameLike(token)) break;
    names += 1;
    last = token;
    if (endsName(token.text)) {
      // "Miller, John": the comma stands within the name
      if (!(names === 1 && token.text.endsWith(',') && isFullName(tokens[next + 1]))) break;
    }
  }
  if (last === undefined || !hasFullName(tokens.slice(first, tokens.indexOf(last) + 1))) return undefined;
  const line = tokens.filter(
    (token) => token.line === last.line && token.start >= last.start && token.gap < 2,
  );
  if ([...tokens.slice(first, tokens.indexOf(last) + 1), ...line.slice(0, 5)].some(isCompanyWord))
    return undefined;
  if (tokens[tokens.indexOf(last) + 1]?.text === '&') return undefined;
  return { start: tokens[0]!.start, end: trimEnd(last) };
}

/** Where names of people stand anywhere in a text: initials and a surname, or two to four capitalised words. */
export function namesIn(text: string): Span[] {
  const found: Span[] = [];
  const tokens = tokensOf(text);
  for (let i = 0; i < tokens.length; i += 1) {
    if (!isNameLike(tokens[i]) && !isIn(HONORIFICS, tokens[i]?.text)) continue;
    const from = tokens[i]!.start;
    const name = leadingName(text.slice(from));
    if (name === undefined) {
      while (tokens[i + 1] !== undefined && tokens[i + 1]!.gap < 2 && isCompanyWord(tokens[i + 1]!)) i += 1;
      continue;
    }
    const end = from + name.end;
    const parts = tokens.filter((token) => token.start >= from && token.start < end);
    if (parts.length > 1) found.push({ start: from, end });
    i += Math.max(0, parts.length - 1);
  }
  return found;
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
    return {
      text: match[0],
      line,
      gap: between.includes('\n') ? 0 : between.length,
      start: match.index,
      end: before,
    };
  });
}

/** A capital and letters, of which OCR may have made digits; or an initial. */
function isNameLike(token: Token | undefined): boolean {
  if (token === undefined || token.gap > 2) return false;
  const bare = token.text.replace(/[.,;]+$/u, '');
  if (isIn(FORM, bare) || isParticle(token)) return false;
  if (/^(?:[\p{Lu}0158]\.?){1,3}$/u.test(bare) && /[\p{L}]|\.$/u.test(token.text))
    return /\p{Lu}|\./u.test(token.text);
  return isFullName(token);
}

function isFullName(token: Token | undefined): boolean {
  if (token === undefined) return false;
  const bare = token.text.replace(/[.,;]+$/u, '');
  if (isIn(FORM, bare)) return false;
  return (
    /^[\p{Lu}0158|][\p{L}\p{M}'’`´.\-–0158|]+$/u.test(bare) &&
    (bare.match(/\p{L}/gu)?.length ?? 0) > (bare.match(/[^\p{L}]/gu)?.length ?? 0) &&
    (bare.match(/\p{L}/gu)?.length ?? 0) >= 2
  );
}

function isParticle(token: Token): boolean {
  return isIn(PARTICLES, token.text);
}

function isCompanyWord(token: Token): boolean {
  return isIn(COMPANY, token.text.replace(/\./g, '')) || token.text === '&';
}

function hasFullName(tokens: readonly Token[]): boolean {
  return tokens.some((token) => isFullName(token) && !isIn(HONORIFICS, token.text));
}

function endsName(text: string): boolean {
  return /[,;]$/u.test(text) || (text.endsWith('.') && text.length > 4);
}

/** Whether a name goes on in the next line: the line before held one given name, or ended in a hyphen. */
function goesOn(names: number, tokens: readonly Token[], next: number): boolean {
  const before = tokens[next - 1]!;
  const alone = !tokens.some(
    (token) => token.line === tokens[next]!.line && token.start > tokens[next]!.start,
  );
  return (
    tokens[next]!.line <= before.line + 2 &&
    (before.text.endsWith('-') || (names === 1 && alone) || isParticle(before))
  );
}

function trimEnd(token: Token): number {
  return token.end - (/[,;]+$/u.exec(token.text)?.[0].length ?? 0);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

function isIn(set: ReadonlySet<string>, word: string | undefined): boolean {
  return word !== undefined && set.has(word.toLowerCase().replace(/[.,:;]+$/u, ''));
}
