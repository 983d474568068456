import { PARTIES, PEOPLE } from '../invented.ts';
import { createRandom } from '../random.ts';
import { Sheet } from '../sheet.ts';

const ARTICLES = [
  'EURO PALLET 800X1200',
  'STRETCH FILM 20MY',
  'CTN HEX BOLT M8X60',
  'DRUM CLEANER 60L',
  'ROLL FOAM 2MM',
  'EDGE GUARD 35MM',
  'LASHING STRAP 6M',
  'KEG ADHESIVE 25KG',
  'CRATE GLASS 690G',
];
const COLUMNS = 38;

/** A thermal receipt of 80 mm printed at the door: monospaced, one column of quantities and amounts. */
export function deliveryReceipt(seed: string, dpi: number): Sheet {
  const random = createRandom(`delivery-receipt/${seed}`);
  const sheet = new Sheet({ widthMm: 80, heightMm: 178, dpi });
  const receiver = random.pick(PARTIES);
  const bar = '-'.repeat(COLUMNS);
  const pair = (label: string, value: string): string => label.padEnd(COLUMNS - value.length) + value;
  const articles = random.sample(ARTICLES, 7).map((article) => {
    const amount = `${random.int(2, 480)}.${random.digits(2)}`;
    return pair(`${String(random.int(1, 150)).padStart(3)} x ${article}`, amount);
  });
  const lines = [
    '     TIDEWAY PARCEL & FREIGHT',
    `  Depot ${random.int(10, 40)}, Gate ${random.pick(['A', 'B', 'C'])}, Tel 555-0173`,
    bar,
    `Receipt   DR-${random.digits(7)}-${random.digits(1)}`,
    `Date      2026-09-${random.int(10, 29)}  ${random.int(10, 18)}:${random.int(10, 59)}:07`,
    `Driver    ${random.pick(PEOPLE).toUpperCase()}  #${random.digits(4)}`,
    `Vehicle   TP ${random.digits(5)}K`,
    `Route     TAC-SEA-${random.pick(['EVT', 'OLY', 'PDX'])} / STOP ${random.int(10, 24)}`,
    `Consignee ${receiver.name.slice(0, 26).toUpperCase()}`,
    `          ${receiver.street.toUpperCase()}`,
    `          ${receiver.city.toUpperCase()}`,
    bar,
    ...articles,
    bar,
    pair('PIECES DELIVERED', String(random.int(100, 400))),
    pair('PIECES SHORT', String(random.int(1, 9))),
    pair('PIECES DAMAGED', String(random.int(1, 9))),
    pair('COD COLLECTED', `USD ${random.int(100, 900)}.${random.digits(2)}`),
    pair('TEMP AT DOOR', `+${random.int(2, 7)}.${random.digits(1)} C`),
    bar,
    'Remarks: one carton wet at the corner.',
    `Driver waited ${random.int(15, 55)} min at dock ${random.int(2, 9)}.`,
    `Received by: ${random.pick(PEOPLE).toUpperCase()}`,
    'Title: GOODS IN SUPERVISOR',
    `POD ID ${Array.from({ length: 4 }, () => random.digits(4)).join('-')}`,
    bar,
    '     KEEP THIS COPY - THANK YOU',
  ];
  sheet.text(40, 10, 'DELIVERY RECEIPT', { font: 'mono-bold', size: 13, align: 'centre' });
  for (const [i, line] of lines.entries()) {
    sheet.text(5, 17 + i * 4.5, line, { font: 'mono', size: 8.6 });
  }
  // A row of dashes is a rule, and the padding inside a line is layout: neither is text somebody would dispute.
  const words = sheet.truth.filter((line) => line !== bar).map((line) => line.trim().replace(/ {2,}/g, ' '));
  sheet.truth.splice(0, sheet.truth.length, ...words);
  return sheet;
}
