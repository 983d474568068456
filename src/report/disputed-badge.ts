import { markup } from './html.ts';
import type { Html } from './html.ts';

const BADGE = markup`<span class="badge bad"><span aria-hidden="true">!</span> disputed</span>`;

/** A pill for a document whose newest replay failed; nothing for others. */
export function disputedBadge(isDisputed: boolean | undefined): Html | undefined {
  return isDisputed === true ? BADGE : undefined;
}
