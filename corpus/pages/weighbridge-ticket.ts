import { formRow } from '../form.ts';
import { GOODS, PARTIES, PEOPLE } from '../invented.ts';
import { createRandom } from '../random.ts';
import { Sheet } from '../sheet.ts';

/** A weighbridge ticket of A5, landscape: few words, large figures. */
export function weighbridgeTicket(seed: string, dpi: number): Sheet {
  const random = createRandom(`weighbridge/${seed}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 148, dpi });
  const gross = random.int(30000, 39900);
  const tare = random.int(13000, 15900);
  sheet.text(15, 18, 'WEIGHBRIDGE TICKET', { size: 17, font: 'sans-bold' });
  sheet.text(195, 18, `No. ${random.digits(6)}`, { size: 14, font: 'mono-bold', align: 'right' });
  const style = { size: 14, labelSize: 8 };
  let y = formRow(
    sheet,
    15,
    24,
    18,
    [
      { label: 'Customer', width: 110, lines: [random.pick(PARTIES).name] },
      { label: 'Vehicle', width: 70, lines: [`HH-TP ${random.digits(4)}`] },
    ],
    style,
  );
  y = formRow(
    sheet,
    15,
    y,
    18,
    [
      { label: 'Goods', width: 110, lines: [random.pick(GOODS)[0]] },
      {
        label: 'Date and time',
        width: 70,
        lines: [`${random.int(10, 28)}.09.2026 14:${random.int(10, 59)}`],
      },
    ],
    style,
  );
  y = formRow(
    sheet,
    15,
    y,
    22,
    [
      { label: 'Gross kg', width: 60, lines: [String(gross)] },
      { label: 'Tare kg', width: 60, lines: [String(tare)] },
      { label: 'Net kg', width: 60, lines: [String(gross - tare)], bold: true },
    ],
    { size: 20, labelSize: 8 },
  );
  sheet.text(15, y + 12, `Weighed by ${random.pick(PEOPLE)} on a scale checked in March 2026.`, { size: 11 });
  return sheet;
}
