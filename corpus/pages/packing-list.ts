import { formRow, ruledTable } from '../form.ts';
import { GOODS, PARTIES, PEOPLE } from '../invented.ts';
import { createRandom } from '../random.ts';
import { Sheet } from '../sheet.ts';

/** One page of a packing list: a long ruled table with a number in nearly every cell. */
export function packingList(seed: string, dpi: number, page: { number: number; of: number }): Sheet {
  const random = createRandom(`packing-list/${seed}/${page.number}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi });
  const whole = createRandom(`packing-list/${seed}`);
  const [sender, receiver] = whole.sample(PARTIES, 2);
  sheet.text(14, 18, 'PACKING LIST', { size: 16, font: 'sans-bold' });
  sheet.text(196, 18, `Page ${page.number} of ${page.of}`, { size: 10, align: 'right' });
  let y = formRow(
    sheet,
    14,
    22,
    17,
    [
      { label: 'From', width: 70, lines: [sender!.name, sender!.city, sender!.country] },
      { label: 'To', width: 70, lines: [receiver!.name, receiver!.city, receiver!.country] },
      {
        label: 'Packing list number',
        width: 42,
        lines: [`PL-${whole.digits(6)}`, `Order ${whole.digits(7)}`],
      },
    ],
    { size: 9.5, labelSize: 6.5 },
  );
  const rows = Array.from({ length: 22 }, (_, i) => {
    const [goods] = random.pick(GOODS);
    return [
      String((page.number - 1) * 22 + i + 1).padStart(3, '0'),
      `A${random.digits(6)}`,
      goods,
      String(random.int(10, 960)),
      `${random.int(10, 900)}.${random.digits(1)}`,
      `${random.int(40, 120)}x${random.int(40, 80)}x${random.int(30, 90)}`,
    ];
  });
  y = ruledTable(
    sheet,
    14,
    y + 5,
    [
      { title: 'Box', width: 14 },
      { title: 'Article', width: 28 },
      { title: 'Description', width: 68 },
      { title: 'Pieces', width: 20, align: 'right' },
      { title: 'Net kg', width: 22, align: 'right' },
      { title: 'Size cm', width: 30, align: 'right' },
    ],
    rows,
    { size: 10 },
  );
  sheet.text(14, y + 9, `Counted by ${random.pick(PEOPLE)}, ${random.int(10, 28)}.09.2026`, { size: 10 });
  return sheet;
}
