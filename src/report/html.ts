/** Markup that is known to be safe to write out. Made by the `markup` tag, or of constants by `Html.of`. */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  /** Joins fixed markup with values: strings and numbers are escaped, `Html` is not, lists are concatenated. */
  static of(fixed: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(fixed.map((part, i) => (i < values.length ? part + render(values[i]) : part)).join(''));
  }
}

/** What may stand in a hole of a `markup` template; undefined, null and false leave nothing. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined | null | false;

/**
 * Template tag: whatever is interpolated as text stays text, so a page that says `<script>` cannot become one. The
 * indentation of the template itself is dropped.
 */
export function markup(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let fixed = withoutIndentation.get(template);
  if (fixed === undefined) {
    fixed = template.map((part) => part.replace(/\n\s+/g, '\n'));
    withoutIndentation.set(template, fixed);
  }
  return Html.of(fixed, values);
}

const withoutIndentation = new WeakMap<TemplateStringsArray, readonly string[]>();

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Controls, and marks that reverse the direction of writing; each is one UTF-16 unit. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Escapes text for element content and quoted attributes. Characters that could make the page show something else than
 * was read are spelled out.
 */
function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(HIDDEN, (character) => `⟨U+${hexadecimal(character.charCodeAt(0))}⟩`);
}

function hexadecimal(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}

function render(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}
