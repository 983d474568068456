import { formRow } from '../form.ts';
import { GOODS, PARTIES, PEOPLE, VESSELS } from '../invented.ts';
import { createRandom } from '../random.ts';
import { Sheet } from '../sheet.ts';

/** An import declaration: many small numbered boxes, labels of six points, amounts and codes everywhere. */
export function customsDeclaration(seed: string, dpi: number): Sheet {
  const random = createRandom(`customs/${seed}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi });
  const [exporter, importer] = random.sample(PARTIES, 2);
  const style = { size: 9, labelSize: 6.5 };
  const money = (): string => `${random.int(2, 89)},${random.digits(3)}.${random.digits(2)}`;
  sheet.text(12, 17, 'CUSTOMS DECLARATION FOR IMPORT', { size: 14, font: 'sans-bold' });
  let y = formRow(
    sheet,
    12,
    21,
    21,
    [
      {
        label: '2 Exporter',
        width: 93,
        lines: [exporter!.name, exporter!.street, `${exporter!.city}, ${exporter!.country}`],
      },
      { label: '1 Declaration', width: 30, lines: ['IM A'], bold: true },
      {
        label: 'A Office of destination',
        width: 63,
        lines: [`DE00${random.digits(4)} Hamburg`, `MRN 26DE${random.digits(10)}`],
      },
    ],
    style,
  );
  y = formRow(
    sheet,
    12,
    y,
    21,
    [
      {
        label: '8 Consignee',
        width: 93,
        lines: [importer!.name, importer!.street, `${importer!.city}, ${importer!.country}`],
      },
      { label: '7 Reference number', width: 50, lines: [`IMP-2026-${random.digits(5)}`] },
      { label: '6 Total packages', width: 43, lines: [`${random.int(1, 4)},${random.digits(3)} CTN`] },
    ],
    style,
  );
  y = formRow(
    sheet,
    12,
    y,
    10,
    [
      { label: '20 Delivery terms', width: 48, lines: ['CIF Hamburg'] },
      {
        label: '21 Means of transport',
        width: 62,
        lines: [`${random.pick(VESSELS)} ${random.int(100, 399)}E`],
      },
      { label: '22 Currency and amount', width: 43, lines: [`USD ${money()}`] },
      { label: '23 Exchange rate', width: 33, lines: [`1.0${random.digits(3)}`] },
    ],
    style,
  );
  for (const [index, [goods, commodity]] of random.sample(GOODS, 5).entries()) {
    const tonnes = random.int(2, 9);
    y = formRow(
      sheet,
      12,
      y,
      11,
      [
        {
          label: '31 Packages and description',
          width: 84,
          lines: [`${random.int(120, 900)} cartons ${goods}`],
        },
        { label: '32 Item', width: 16, lines: [String(index + 1)] },
        { label: '33 Commodity code', width: 46, lines: [commodity] },
        { label: '34 Origin', width: 40, lines: [exporter!.country] },
      ],
      style,
    );
    y = formRow(
      sheet,
      12,
      y,
      11,
      [
        { label: '35 Gross mass (kg)', width: 42, lines: [`${tonnes},${random.int(500, 999)}.000`] },
        { label: '38 Net mass (kg)', width: 42, lines: [`${tonnes},${random.int(100, 499)}.500`] },
        { label: '42 Item price', width: 42, lines: [money()] },
        { label: '44 Documents produced', width: 60, lines: [`N380 INV-${random.digits(6)}`] },
      ],
      style,
    );
  }
  y = formRow(
    sheet,
    12,
    y,
    21,
    [
      {
        label: '47 Calculation of taxes',
        width: 93,
        lines: [`A00 duty 4.70% EUR ${money()}`, `B00 tax 19.00% EUR ${money()}`, `Total EUR ${money()}`],
      },
      {
        label: '54 Place, date and name of the declarant',
        width: 93,
        lines: [`Hamburg, ${random.int(10, 28)}.09.2026`, random.pick(PEOPLE), importer!.phone],
      },
    ],
    style,
  );
  sheet.paragraph(
    12,
    y + 6,
    186,
    'The declarant states that the particulars above are complete and that the documents named in box 44 will be kept for ten years.',
    { size: 8.5 },
  );
  return sheet;
}
