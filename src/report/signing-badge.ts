import type { ReportStanding } from './document.ts';
import { markup } from './html.ts';
import type { Html } from './html.ts';

const BADGES = {
  signed: markup`<span class="badge good"><span aria-hidden="true">✓</span> signed</span>`,
  received: markup`<span class="badge received">bytes received</span>`,
  claimed: markup`<span class="badge received">hash claimed</span>`,
};

/** Whether a document is signed, as a pill; the words carry it without the colour. */
export function signingBadge(standing: ReportStanding): Html {
  return BADGES[standing];
}
