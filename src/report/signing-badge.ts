import { markup } from './html.ts';
import type { Html } from './html.ts';

/** What may be said in two words of who signed: the sign and the words carry it without the colour. */
export function signingBadge(isSigned: boolean): Html {
  return isSigned
    ? markup`<span class="badge good"><span aria-hidden="true">✓</span> signed</span>`
    : markup`<span class="badge received">bytes received</span>`;
}
