import { markup } from './html.ts';
import type { Html } from './html.ts';

const TONES: Record<string, string> = { published: 'good', quarantined: 'bad', duplicate: 'same' };
const SIGNS: Record<string, string> = { good: '✓', bad: '!', same: '=', open: '…' };

/** A state as a coloured pill; the sign and the word carry it without the colour. */
export function stateBadge(state: string): Html {
  const tone = TONES[state] ?? 'open';
  return markup`<span class="badge ${tone}"><span aria-hidden="true">${SIGNS[tone]}</span> ${state}</span>`;
}
