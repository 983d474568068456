import { containerNumber } from '../container-number.ts';
import { GOODS, PARTIES, VESSELS } from '../invented.ts';
import { createRandom } from '../random.ts';

/** Placed lines of a notice that a carrier's computer wrote: text from the start, in points from the lower left. */
export interface TextPage {
  lines: { x: number; y: number; size: number; text: string }[];
  truth: string[];
}

/** A two-page notice of arrival. */
export function arrivalNotice(seed: string): TextPage[] {
  const random = createRandom(`arrival-notice/${seed}`);
  const receiver = random.pick(PARTIES);
  const units = Array.from({ length: 12 }, () => containerNumber(random));
  const first = [
    `To: ${receiver.name}, ${receiver.street}, ${receiver.city}`,
    `Vessel ${random.pick(VESSELS)}, voyage ${random.int(100, 399)}W, berth ${random.int(10, 60)}`,
    `Expected on ${random.int(10, 28)} September 2026 at 06:30 local time`,
    `Bill of lading BRK${random.digits(7)}, release code ${random.digits(6)}`,
    'Please send the customs reference before the units are collected.',
    `Storage is free for ${random.int(3, 7)} days, then EUR ${random.int(30, 90)}.00 a day and unit.`,
  ];
  const second = units.map(
    (unit) => `${unit}   ${random.pick(GOODS)[0]}   ${random.int(2, 25)},${random.digits(3)} kg`,
  );
  return [page('ARRIVAL NOTICE', first), page('UNITS TO BE COLLECTED', second)];
}

function page(title: string, body: readonly string[]): TextPage {
  return {
    lines: [
      { x: 60, y: 770, size: 20, text: title },
      ...body.map((text, i) => ({ x: 60, y: 720 - i * 28, size: 12, text })),
    ],
    truth: [title, ...body],
  };
}
