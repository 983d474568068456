import type { Span } from './person-names.ts';

const DIGIT = String.raw`[\dOoQDIlLSZzBGbgq|!]`;
const CITY = String.raw`(?:(?:L[ae]|De|Den|El|St\.?|Sankt|Bad)[ \n])?(?=\S?\p{L}{2})[\p{Lu}8015][\p{L}\d.'’\-|]{2,}(?: (?:am|an|der|den|de|la|le|sur|upon|of|on|in|van|do|di|\p{Lu}[\p{L}.'’\-]*)){0,2}`;
const BEFORE = String.raw`(?<![\p{L}\d.,/-])`;
const AFTER = String.raw`(?![\p{L}\d])`;

/** A postal code and the place it belongs to, as the countries of Europe and North America write them. */
const PLACES = [
  String.raw`${CITY},?[ \n][A-Z]{2},?[ \n]${DIGIT}{5}(?:-${DIGIT}{4})?`,
  String.raw`${CITY},?[ \n][A-Z]{2},? [A-Z]${DIGIT}[A-Z] ?${DIGIT}[A-Z]${DIGIT}`,
  String.raw`${CITY},?[ \n][A-Z]{1,2}${DIGIT}[A-Z\d|]?[ \n]?${DIGIT}[A-Z\d]{2}`,
  String.raw`(?:[A-Z]{1,2}[-– ])?${DIGIT}{4,6}(?:[ \n]?[A-Z]{2})?,?[ \n]${CITY}`,
  String.raw`(?:[A-Z]{1,2}[-– ])?(?:${DIGIT}{3} ${DIGIT}{2}|${DIGIT}{2}-${DIGIT}{3}|${DIGIT}{4}-${DIGIT}{3}),?[ \n]${CITY}`,
].map((place) => new RegExp(`${BEFORE}(?:${place})${AFTER}`, 'gu'));

/** What follows a number on logistics papers without being a place. */
const NO_PLACE =
  /\b(?:kg|kgs|lbs?|to|tons?|tonnes?|pcs?|pieces?|packages?|pkgs?|cartons?|ctns?|kartons?|boxes|crates?|crt|drums?|bags?|pallets?|plt|euro|eur|usd|gbp|units?|rolls?|bales?|cbm|lot|seal|order|invoice|booking|container|packed|page|item|total|gross|net|tare|date|time|ref|no|nr|stück|paletten|colli|coils?|reels?|sacks?|teu|feu|litres?|liters?|ltr|incl|see|and)\b/iu;

/** Words that stand before a number without being a street. */
const NO_STREET =
  /(?<!\p{L})(?:lot|seal|hs|code|depot|gate|berth|ramp|dock|stop|page|item|no|nr|unit|packages?|pieces?|pallets?|cartons?|container|voyage|by|per|order|ref|invoice|booking|date|time|po|temp|gross|net|tare|kg|report|receipt|declaration|box|form|january|february|march|april|june|july|august|september|october|november|december)(?!\p{L})/iu;

/** The postal codes with their places in a text. */
export function placesIn(text: string): Span[] {
  const spans: Span[] = [];
  for (const place of PLACES) {
    for (const match of text.matchAll(place)) {
      const [name] = match;
      const [start, end] = [match.index, match.index + name.length];
      const isTaken = spans.some((span) => span.start < end && start < span.end);
      if (isTaken || (name.match(/\d/g)?.length ?? 0) < 2 || NO_PLACE.test(name)) continue;
      spans.push({ start, end });
    }
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether words and a number can be a street: capitalised, and not what else has numbers on these papers. */
export function isStreet(text: string): boolean {
  return (
    /^(?:\d|\p{Lu}|[uv][l1]\.|c\/|[ilsbg|]\d)/u.test(text) &&
    /\p{Lu}/u.test(text) &&
    !NO_STREET.test(text) &&
    !NO_PLACE.test(text)
  );
}
