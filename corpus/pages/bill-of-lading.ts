import { containerNumber } from '../container-number.ts';
import { formRow, ruledTable } from '../form.ts';
import { GOODS, PARTIES, PEOPLE, VESSELS } from '../invented.ts';
import { createRandom } from '../random.ts';
import { Sheet } from '../sheet.ts';

const UNITS = ['CTN', 'PLT', 'BAG', 'DRM', 'CRT'];

/** An ocean bill of lading: boxes on top, a ruled table of containers, clauses and a signature line. */
export function billOfLading(seed: string, dpi: number): Sheet {
  const random = createRandom(`bill-of-lading/${seed}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi });
  const [shipper, consignee, notify] = random.sample(PARTIES, 3);
  const number = `BRK${random.digits(7)}`;
  sheet.text(12, 17, 'BILL OF LADING', { size: 17, font: 'sans-bold' });
  sheet.text(198, 17, 'ORIGINAL 1 OF 3', { size: 10, font: 'sans-bold', align: 'right' });
  const address = (party: typeof shipper): string[] => [
    party!.name,
    party!.street,
    `${party!.city}, ${party!.country}`,
  ];
  let y = formRow(sheet, 12, 21, 21, [
    { label: 'Shipper', width: 93, lines: [...address(shipper), shipper!.phone] },
    { label: 'Bill of lading number', width: 46, lines: [number], bold: true },
    { label: 'Booking number', width: 47, lines: [random.digits(10)] },
  ]);
  y = formRow(sheet, 12, y, 21, [
    { label: 'Consignee', width: 93, lines: address(consignee) },
    { label: 'Notify party', width: 93, lines: [notify!.name, notify!.phone, notify!.mail] },
  ]);
  y = formRow(sheet, 12, y, 10, [
    { label: 'Vessel and voyage', width: 62, lines: [`${random.pick(VESSELS)} ${random.int(100, 399)}W`] },
    { label: 'Port of loading', width: 62, lines: [random.pick(['Hamburg', 'Rotterdam', 'Gothenburg'])] },
    { label: 'Port of discharge', width: 62, lines: [random.pick(['Vancouver', 'Tacoma', 'Veracruz'])] },
  ]);
  sheet.text(105, y + 5.5, 'PARTICULARS AS DECLARED BY THE SHIPPER', {
    size: 9,
    font: 'sans-bold',
    align: 'centre',
  });
  const rows = random
    .sample(GOODS, 9)
    .map(([goods, commodity]) => [
      `${containerNumber(random)}\nSEAL ${random.digits(6)}`,
      `${random.int(4, 900)} ${random.pick(UNITS)}`,
      `${goods}\nHS ${commodity}`,
      `${random.int(1, 25)},${random.digits(3)}.${random.digits(2)}`,
      `${random.int(2, 67)}.${random.digits(3)}`,
    ]);
  y = ruledTable(
    sheet,
    12,
    y + 8,
    [
      { title: 'Container and seal', width: 40 },
      { title: 'Packages', width: 24 },
      { title: 'Description of goods', width: 66 },
      { title: 'Gross kg', width: 30, align: 'right' },
      { title: 'Volume m3', width: 26, align: 'right' },
    ],
    rows,
  );
  const amount = `${random.int(2, 19)},${random.digits(3)}.${random.digits(2)}`;
  y = sheet.paragraph(
    12,
    y + 7,
    186,
    `Ocean freight USD ${amount} prepaid. Terminal handling EUR ${random.int(180, 420)}.00 collect. Demurrage free time 7 days.`,
    { size: 9 },
  );
  y = sheet.paragraph(
    12,
    y + 2,
    186,
    'Received by the carrier in apparent good order, except where noted, for carriage to the port of discharge. The weights and contents above were stated by the shipper and have not been checked. Three originals have been signed; when one has been presented the others are void.',
    { size: 9 },
  );
  formRow(sheet, 12, y + 1, 16, [
    { label: 'Place and date of issue', width: 62, lines: [`Hamburg, ${random.int(10, 28)} September 2026`] },
    { label: 'Number of originals', width: 50, lines: ['THREE (3)'] },
    { label: 'Signed for the carrier', width: 74, lines: [random.pick(PEOPLE)] },
  ]);
  return sheet;
}
