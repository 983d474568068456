/** Controls, marks that reverse the direction of writing, and whatever else has no look of its own. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Text on one line as it can be shown: characters that could make it look like something else than it says, or that the typeface
 * lacks, are spelled out. Line breaks become spaces.
 */
export function legible(text: string, hasGlyph: (codePoint: number) => boolean = () => true): string {
  let shown = '';
  for (const character of text.toWellFormed().replace(/\s*\n\s*/g, ' ')) {
    const code = character.codePointAt(0) ?? 0;
    shown += HIDDEN.test(character) || !hasGlyph(code) ? `⟨U+${hexadecimal(code)}⟩` : character;
  }
  return shown;
}

function hexadecimal(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
