// Forms of logistics papers with planted personal data. All of it is invented.
import { containerNumber } from '../container-number.ts';
import { PARTIES } from '../invented.ts';
import type { Random } from '../random.ts';
import {
  birthDate,
  cardNumber,
  iban,
  licenceNumber,
  nationalId,
  passportNumber,
  phoneNumber,
  postalAddress,
} from './numbers.ts';
import type { PlantedPage } from './page-writer.ts';
import { PageWriter } from './page-writer.ts';
import { fullName, personName } from './people.ts';

import { NAME_LABELS, address, goods, mail, phone, signature } from './form-parts.ts';

function billOfLading(random: Random): PlantedPage {
  const page = new PageWriter(random, 'bill_of_lading').text('BILL OF LADING\nORIGINAL 1 OF 3\n\n');
  for (const role of ['Shipper', 'Consignee', 'Notify party']) {
    page.text(role).line().decoy('company', random.pick(PARTIES).name).line();
    address(page, random);
    if (random.unit() < 0.7)
      page.label(random.pick(NAME_LABELS)).item('labelled_name', personName(random)).line();
    if (random.unit() < 0.6) phone(page, random);
    if (random.unit() < 0.6) mail(page, random);
  }
  return goods(page, random).finish();
}

function deliveryReceipt(random: Random): PlantedPage {
  const page = new PageWriter(random, 'delivery_receipt')
    .text('DELIVERY RECEIPT\n')
    .decoy('company', 'TIDEWAY PARCEL & FREIGHT');
  page
    .line()
    .text('Receipt ')
    .decoy('reference', `DR-${random.digits(7)}-${random.digits(1)}`)
    .line();
  page
    .text('Date ')
    .decoy('date', `2026-09-${random.int(10, 29)}`)
    .text(' ')
    .decoy('time', `${random.int(10, 18)}:${random.int(10, 59)}:07`)
    .line();
  page.label('Driver').item('labelled_name', personName(random)).line();
  page
    .text('POD ID ')
    .decoy('reference', Array.from({ length: 4 }, () => random.digits(4)).join('-'))
    .line();
  page.text('Consignee ').decoy('company', random.pick(PARTIES).name.toUpperCase()).line();
  address(page, random);
  for (let i = 0; i < 4; i += 1) {
    page
      .decoy('quantity', `${random.int(1, 150)} x CTN HEX BOLT M8X60`)
      .text(' ')
      .decoy('amount', `${random.int(2, 480)}.${random.digits(2)}`)
      .line();
  }
  page
    .text('COD COLLECTED ')
    .decoy('amount', `USD ${random.int(100, 900)}.${random.digits(2)}`)
    .line();
  page.text('Driver waited 19 min at dock 9.').line();
  page.label('Received by').item('labelled_name', personName(random)).line();
  signature(page, random);
  return page.finish();
}

function gatePass(random: Random): PlantedPage {
  const page = new PageWriter(random, 'unknown')
    .text('GATE PASS\n')
    .text('Terminal ')
    .decoy('place', 'Rotterdam')
    .line();
  page.label("Driver's name").item('labelled_name', personName(random)).line();
  page.label(
    random.pick([
      "Driver's licence no.",
      'Driving licence',
      'Licence No',
      'Führerschein Nr.',
      "Driver's license #",
    ]),
  );
  page.item('driving_licence', licenceNumber(random)).line();
  page
    .label(random.pick(['Passport No.', 'Passport', 'Passport number:', 'Reisepass Nr.']))
    .item('passport', passportNumber(random))
    .line();
  const id = nationalId(random);
  page.label(id.label).item('national_id', id.number).line();
  page
    .label(random.pick(['Date of birth', 'DOB', 'Born', 'Geburtsdatum']))
    .item('birth_date', birthDate(random))
    .line();
  phone(page, random);
  page
    .text('Container ')
    .decoy('container', containerNumber(random))
    .text(' Seal ')
    .decoy('seal', random.digits(6))
    .line();
  page
    .text('Gross kg ')
    .decoy('weight', `${random.int(10, 38)},${random.digits(3)}.00`)
    .line();
  page
    .text('Valid until ')
    .decoy('date', `${random.int(10, 28)}.10.2026`)
    .line();
  const second = nationalId(random);
  page.label(second.label).item('national_id', second.number).line();
  page.label('Passport No.').item('passport', passportNumber(random)).line();
  page.label('Licence No.').item('driving_licence', licenceNumber(random)).line();
  signature(page, random);
  return page.finish();
}

function paymentAdvice(random: Random): PlantedPage {
  const page = new PageWriter(random, 'unknown')
    .text('FREIGHT INVOICE\n')
    .decoy('company', random.pick(PARTIES).name)
    .line();
  address(page, random);
  page
    .text('Invoice ')
    .decoy('reference', `INV-${random.digits(6)}`)
    .text(' Order ')
    .decoy('reference', `PO ${random.digits(8)}`)
    .line();
  page
    .text('VAT ID ')
    .decoy('reference', `DE${random.digits(9)}`)
    .line();
  page
    .text('Ocean freight ')
    .decoy('amount', `USD ${random.int(2, 30)},${random.digits(3)}.${random.digits(2)}`)
    .line();
  for (let i = 0; i < 2; i += 1) {
    page
      .label(random.pick(['IBAN', 'IBAN:', 'Account', 'Bank account IBAN', '']))
      .item('iban', iban(random))
      .line();
    page
      .label(random.pick(['Card no.', 'Credit card', 'Visa', 'Paid by card', '']))
      .item('card', cardNumber(random))
      .line();
  }
  page.label(random.pick(NAME_LABELS)).item('labelled_name', personName(random)).line();
  phone(page, random);
  mail(page, random);
  page
    .text('Due ')
    .decoy('date', `2026-1${random.int(0, 2)}-${random.int(10, 28)}`)
    .line();
  page
    .text('SSCC ')
    .decoy('reference', `00${random.digits(18)}`)
    .line();
  return page.finish();
}

function exceptionSheet(random: Random): PlantedPage {
  const page = new PageWriter(random, 'exception_sheet').text('CARGO EXCEPTION SHEET\n');
  page
    .text('Report ')
    .decoy('reference', `EXC-2026-${random.digits(5)}`)
    .text(' Berth 29 Shift NIGHT')
    .line();
  for (let i = 0; i < 3; i += 1) {
    page
      .decoy('container', containerNumber(random))
      .text(' Door gasket torn, cargo damp near the doors ')
      .decoy('quantity', String(random.int(1, 18)))
      .line();
  }
  page
    .text('At 03:17 the checker of lane 7 saw that the bolt seal of unit ')
    .decoy('container', containerNumber(random));
  page.text(' bore number ').decoy('seal', random.digits(6)).text('.\nThe driver, ');
  page
    .item('labelled_name', `${random.pick(['Mr', 'Mrs', 'Mr.', 'Ms'])} ${fullName(random)}`)
    .text(', was called on ')
    .item('phone', phoneNumber(random));
  page
    .text(' at 05:40.\n')
    .decoy('quantity', '1280 pieces')
    .text(' declared, ')
    .decoy('quantity', '1266 pieces')
    .text(' found. The value is put at ');
  page
    .decoy('amount', `USD ${random.int(1, 8)},${random.digits(3)}.00`)
    .text('.')
    .line();
  page
    .label(random.pick(['Checked by', 'Surveyor', 'Inspected by', 'Witness']))
    .item('labelled_name', fullName(random))
    .line();
  if (random.unit() < 0.5) page.label('Date of birth').item('birth_date', birthDate(random)).line();
  mail(page, random);
  signature(page, random);
  return page.finish();
}

function consignmentNote(random: Random): PlantedPage {
  const page = new PageWriter(random, 'cmr_note')
    .text('INTERNATIONAL CONSIGNMENT NOTE ')
    .decoy('reference', `CMR ${random.digits(8)}`)
    .line();
  const [sender, carrier] = random.sample(PARTIES, 2);
  page.text('1 Sender (name, address, country) 16 Carrier (name, address, country)').line();
  page
    .decoy('company', sender?.name ?? '')
    .text(' ')
    .decoy('company', carrier?.name ?? '')
    .line();
  const [[left = '', leftPlace = ''], [right = '', rightPlace = '']] = [
    postalAddress(random),
    postalAddress(random),
  ] as const;
  // two columns: the halves of each address stand apart
  page.item('address', left).text('  ').item('address', right).line();
  if (leftPlace !== '') page.item('address', leftPlace);
  if (rightPlace !== '') page.text('  ').item('address', rightPlace);
  page.line();
  goods(page, random);
  page
    .text('13 Instructions of the sender\nKeep between +2 and +7 C\nCall one hour before arrival\n')
    .item('phone', phoneNumber(random))
    .line();
  page
    .text('Charges ')
    .decoy('amount', `EUR ${random.int(1, 3)},${random.digits(3)}.00`)
    .line();
  page.text('22 Signature and stamp of the sender').line().item('printed_name', fullName(random)).line();
  page.text('23 Signature and stamp of the carrier').line().item('printed_name', fullName(random)).line();
  page
    .text('24 Goods received\n')
    .decoy('date', `${random.int(10, 28)}.09.2026`)
    .text(' ')
    .decoy('time', '12:45')
    .line();
  return page.finish();
}

/** The forms, to be taken in turn. */
export const FORMS: readonly ((random: Random) => PlantedPage)[] = [
  billOfLading,
  deliveryReceipt,
  gatePass,
  paymentAdvice,
  exceptionSheet,
  consignmentNote,
];
