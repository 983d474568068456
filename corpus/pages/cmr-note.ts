import { formRow, ruledTable } from '../form.ts';
import { GOODS, PARTIES, PEOPLE } from '../invented.ts';
import { createRandom } from '../random.ts';
import type { Ink } from '../raster.ts';
import { Sheet } from '../sheet.ts';
import { signature, roundStamp } from './handwriting.ts';

const RED: Ink = [176, 32, 40];

/** An international road consignment note: numbered boxes printed in red, typed in black, signed in blue. */
export function cmrNote(seed: string, dpi: number): Sheet {
  const random = createRandom(`cmr/${seed}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi, colour: true });
  const [sender, consignee, carrier] = random.sample(PARTIES, 3);
  const style = { ink: RED, size: 9.5, labelSize: 6.5 };
  sheet.text(12, 17, 'INTERNATIONAL CONSIGNMENT NOTE', { size: 14, font: 'sans-bold', ink: RED });
  sheet.text(198, 17, `CMR ${random.digits(8)}`, { size: 14, font: 'sans-bold', align: 'right' });
  const lines = (party: typeof sender): string[] => [party!.name, party!.street, party!.city, party!.country];
  let y = formRow(
    sheet,
    12,
    21,
    24,
    [
      { label: '1 Sender (name, address, country)', width: 93, lines: lines(sender) },
      { label: '16 Carrier (name, address, country)', width: 93, lines: lines(carrier) },
    ],
    style,
  );
  y = formRow(
    sheet,
    12,
    y,
    24,
    [
      { label: '2 Consignee (name, address, country)', width: 93, lines: lines(consignee) },
      { label: '17 Successive carriers', width: 93, lines: ['None'] },
    ],
    style,
  );
  y = formRow(
    sheet,
    12,
    y,
    13,
    [
      {
        label: '3 Place of delivery of the goods',
        width: 93,
        lines: [`${consignee!.city}, ramp ${random.int(2, 19)}`],
      },
      {
        label: '18 Reservations of the carrier',
        width: 93,
        lines: [`${random.int(1, 3)} pallets with torn film at loading`],
      },
    ],
    style,
  );
  y = formRow(
    sheet,
    12,
    y,
    13,
    [
      {
        label: '4 Place and date of taking over',
        width: 93,
        lines: [`${sender!.city}, ${random.int(10, 28)}.09.2026`],
      },
      { label: '5 Documents attached', width: 93, lines: [`Invoice RE-${random.digits(6)}, packing list`] },
    ],
    style,
  );
  const rows = random
    .sample(GOODS, 6)
    .map(([goods, commodity]) => [
      `LOT ${random.digits(5)}`,
      String(random.int(2, 33)),
      'Euro pallet',
      goods,
      commodity,
      `${random.int(1, 9)},${random.digits(3)}`,
      `${random.int(2, 19)}.${random.digits(1)}`,
    ]);
  y = ruledTable(
    sheet,
    12,
    y,
    [
      { title: '6 Marks', width: 24 },
      { title: '7 Number', width: 18, align: 'right' },
      { title: '8 Packing', width: 24 },
      { title: '9 Nature of the goods', width: 56 },
      { title: '10 Code', width: 24 },
      { title: '11 Gross kg', width: 22, align: 'right' },
      { title: '12 m3', width: 18, align: 'right' },
    ],
    rows,
    { ink: RED, size: 9 },
  );
  y = formRow(
    sheet,
    12,
    y,
    22,
    [
      {
        label: '13 Instructions of the sender',
        width: 93,
        lines: [`Keep between +2 and +${random.int(6, 9)} C`, 'Call one hour before arrival', carrier!.phone],
      },
      {
        label: '19 Charges to be paid by',
        width: 93,
        lines: [`Sender: EUR ${random.int(1, 3)},${random.digits(3)}.00`, 'Consignee: EUR 0.00'],
      },
    ],
    style,
  );
  y = formRow(
    sheet,
    12,
    y,
    13,
    [
      { label: '21 Established in', width: 62, lines: [sender!.city] },
      {
        label: 'Vehicle registration',
        width: 62,
        lines: [`HH-${random.pick(['KT', 'WD', 'PX'])} ${random.digits(4)}`],
      },
      {
        label: 'Trailer registration',
        width: 62,
        lines: [`OL-${random.pick(['AR', 'ZE', 'VN'])} ${random.digits(3)}`],
      },
    ],
    style,
  );
  formRow(
    sheet,
    12,
    y,
    34,
    [
      { label: '22 Signature and stamp of the sender', width: 62, lines: [random.pick(PEOPLE)] },
      { label: '23 Signature and stamp of the carrier', width: 62, lines: [random.pick(PEOPLE)] },
      {
        label: '24 Goods received',
        width: 62,
        lines: [`${random.int(10, 28)}.09.2026 ${random.int(10, 17)}:45`],
      },
    ],
    style,
  );
  signature(sheet, random, 22, y + 24, 36);
  signature(sheet, random, 84, y + 24, 36);
  roundStamp(sheet, 170, y + 22, 10, RED);
  return sheet;
}
