import { Sheet } from '../sheet.ts';

const CLAUSES = [
  'Meaning of words. Haulier means the company that takes the goods in charge under these terms. Customer means whoever gave the order, and also the sender, the receiver and anyone else with an interest in the goods, each of whom is bound in the same way.',
  'Orders. An order binds the Haulier only when it has been confirmed in writing with a number, a date of collection and a rate. A change asked for within 24 hours of collection is charged at 12.5% of the agreed freight, and never at less than EUR 45.00.',
  'Packing. The Customer packs, marks and labels the goods so that they withstand lifting, stacking to 2.4 metres and braking. Goods that leak, shift or stand out over the pallet may be refused at the door, and the cost of the empty run is then due in full.',
  'Weights. Weights and measures come from the Customer. If a weighbridge shows more than 3% above the stated gross weight, the weighbridge decides, and the freight is worked out again for the whole load.',
  'Loading times. Two hours are free at each end for a full load, 45 minutes for a part load. Each further half hour costs EUR 38.50. The times written by the driver on the note count unless they are contradicted on the same paper at the same place.',
  'Temperature. For chilled goods the Haulier keeps the air of the vehicle between the limits written in the order, read at the return duct every 15 minutes. The Haulier does not cool goods down that were loaded too warm, and writes their temperature on the note.',
  'Dangerous goods. No substance with a UN number is taken without a written declaration 48 hours ahead. Goods handed over without it may be unloaded, stored or destroyed at the expense of the Customer, who also answers for every fine and for harm done to others.',
  'Limits. For goods lost or spoiled the Haulier pays their value at the place of collection, but not above 8.33 units of account for each kilogram of gross weight. For delay nothing is paid beyond the freight of the consignment concerned.',
  'Notice. Damage that can be seen is written on the note before the driver leaves. Damage that cannot be seen is reported within 7 days, Sundays and holidays not counted; after this the goods are taken to have arrived as described in the note.',
  'Payment. Invoices fall due 21 days after their date. Interest of 0.8% runs for each month begun. The Customer may set off only what a court has awarded or the Haulier has admitted in writing.',
  'Keeping the goods. Until all that is due has been paid the Haulier may hold goods and papers back. After 30 days, and after a warning in writing, the Haulier may sell them at a public sale and keep what is owed together with the costs of the sale.',
  'Sub-hauliers. The Haulier may pass the work on, in whole or in part, and remains answerable for those to whom it was passed. They may rely on every limit in these terms as if each of them had made the contract.',
  'Events beyond control. Strikes, closed roads, floods, orders of an authority and failures of a port or a ferry free both sides while they last. Each side tells the other within 6 hours and does what can reasonably be expected to shorten the interruption.',
  'Papers and scans. A scan of the signed note is enough to prove delivery, provided that its digest was recorded when the scan was made. The paper itself is kept for 400 days and sent to the Customer against a fee of EUR 9.00 for each sheet.',
  'Claims. Claims end 12 months after delivery, or after the day on which delivery was due. In a case of wilful misconduct the time is 36 months. A claim stops running only while the Haulier has it in writing and has not answered.',
  'Law. These terms follow the law of the place where the Haulier has its main office. The courts of that place decide, unless the Customer is a private person. If one clause fails, the remaining clauses stand.',
];

/** A page of dense small print in two columns of a serif face. */
export function termsAndConditions(dpi: number): Sheet {
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi });
  sheet.text(105, 16, 'TERMS OF HAULAGE AND DELIVERY', { size: 13, font: 'serif-bold', align: 'centre' });
  const style = { font: 'serif', size: 8.4, leading: 1.2 } as const;
  const bottom = 282;
  let [x, y] = [14, 24];
  const clauses = CLAUSES.flatMap((clause, i) => [`${i + 1}. ${clause}`]);
  const second = CLAUSES.map(
    (clause, i) =>
      `${i + 17}. Where goods move by rail: ${clause.replaceAll('Haulier', 'Railway').replaceAll('driver', 'guard')}`,
  );
  for (const clause of [...clauses, ...second]) {
    const height = sheet.wrap(clause, 86, style).length * style.size * style.leading * (25.4 / 72);
    if (y + height > bottom) {
      if (x > 100) break;
      [x, y] = [110, 24];
    }
    y = sheet.paragraph(x, y, 86, clause, style) + 1.6;
  }
  return sheet;
}
