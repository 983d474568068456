import { containerNumber } from '../container-number.ts';
import { ruledTable } from '../form.ts';
import { createRandom } from '../random.ts';
import type { Ink } from '../raster.ts';
import { Sheet } from '../sheet.ts';
import { signature, roundStamp } from './handwriting.ts';

const STAMP: Ink = [176, 48, 48];
const FINDINGS = [
  ['Door gasket torn, cargo damp near the doors', 'MAJOR'],
  ['Seal does not agree with the manifest', 'CRITICAL'],
  ['Two pallets leaning, cartons crushed', 'MINOR'],
  ['Set point -18.0 C, supply air -11.4 C', 'MAJOR'],
  ['Corner post bent, unit unsafe to stack', 'CRITICAL'],
] as const;

/** A report of damage: table, narrative, ticked boxes, two signatures in ink and a stamp over the print. */
export function exceptionSheet(seed: string, dpi: number, colour = true): Sheet {
  const random = createRandom(`exception/${seed}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi, colour });
  const units = Array.from({ length: 4 }, () => containerNumber(random));
  const found = random.int(1100, 1290);
  const missing = random.int(4, 40);
  sheet.text(15, 20, 'CARGO EXCEPTION SHEET', { size: 18, font: 'sans-bold' });
  sheet.text(15, 28, `Report EXC-2026-${random.digits(5)}   Berth ${random.int(10, 60)}   Shift NIGHT`, {
    size: 11,
  });
  let y = ruledTable(
    sheet,
    15,
    33,
    [
      { title: 'Unit', width: 40 },
      { title: 'Finding', width: 90 },
      { title: 'Qty', width: 16, align: 'right' },
      { title: 'Severity', width: 34 },
    ],
    units.map((unit, i) => [unit, FINDINGS[i]![0], String(random.int(1, 18)), FINDINGS[i]![1]]),
    { size: 11 },
  );
  const narrative = [
    `At 0${random.int(1, 4)}:17 the checker of lane ${random.int(2, 8)} saw that the bolt seal of unit ${units[1]} bore number ${random.digits(6)} where the manifest has ${random.digits(6)}. The unit was taken to the inspection bay and photographed from all sides before anybody opened it.`,
    `An officer with badge ${random.digits(5)} came at 05:05 and cut the seal. Contents were counted against packing list PL-${random.digits(5)}: ${found + missing} pieces declared, ${found} pieces found, ${missing} pieces missing.`,
    `The carrier was told by telephone at 05:40. Nobody was hurt. The value of what is missing is put at USD ${random.int(1, 8)},${random.digits(3)}.00 until a surveyor has seen it. All rights against the carrier and the terminal remain reserved.`,
  ];
  y += 9;
  sheet.text(15, y, 'What happened', { size: 13, font: 'sans-bold' });
  y += 7;
  for (const paragraph of narrative)
    y = sheet.paragraph(15, y, 180, paragraph, { size: 11, leading: 1.3 }) + 2;
  sheet.text(
    15,
    y + 4,
    `[X] Photographs (${random.int(8, 40)})   [X] Surveyor called   [ ] Police   [X] Seal kept`,
    { size: 11 },
  );
  for (const [i, who] of ['Checker', "Ship's officer"].entries()) {
    const base = y + 34 + i * 34;
    sheet.rule(15, base, 85, base, 0.8);
    sheet.text(15, base + 5, who, { size: 9 });
    sheet.text(130, base + 5, `Date ${random.int(10, 28)} October 2026`, { size: 11 });
    signature(sheet, random, 20, base - 7, 55);
  }
  roundStamp(sheet, 165, y + 30, 17, STAMP);
  return sheet;
}
