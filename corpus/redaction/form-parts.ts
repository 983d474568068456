// Parts that several forms have.
import { containerNumber } from '../container-number.ts';
import { GOODS, VESSELS } from '../invented.ts';
import type { Random } from '../random.ts';
import { phoneNumber, postalAddress } from './numbers.ts';
import type { PageWriter } from './page-writer.ts';
import { fullName, mailAddress } from './people.ts';

/** What names of people stand behind. */
export const NAME_LABELS = [
  'Driver',
  'Driver:',
  "Driver's name",
  'Name of driver',
  'Received by',
  'Received by:',
  'Delivered by',
  'Checked by',
  'Contact',
  'Contact person',
  'Consignee contact',
  'Attn',
  'Attention',
  'Signed by',
  'Prepared by',
  'Weighed by',
  'Declarant',
  'Name:',
  'Printed name',
  'Loaded by',
  'Fahrer',
  'Ansprechpartner',
  'Collected by',
  'Handed to',
  'Shipper contact',
  'Issued by',
] as const;
const MAIL_LABELS = ['E-mail', 'Email:', 'Mail', '', ''] as const;
const PHONE_LABELS = ['Tel', 'Tel.', 'Phone', 'Mobile', 'Telephone:', 'Cell', 'Fax', ''] as const;

export function goods(page: PageWriter, random: Random): PageWriter {
  page
    .text('Vessel ')
    .decoy('vessel', random.pick(VESSELS))
    .text(' Port of loading ')
    .decoy('place', 'Rotterdam')
    .text(' Port of discharge ')
    .decoy('place', 'Tacoma')
    .line();
  page
    .text('B/L No. ')
    .decoy('reference', `BRK${random.digits(7)}`)
    .text(' Booking ')
    .decoy('reference', random.digits(10))
    .line();
  for (const [description, code] of random.sample(GOODS, 4)) {
    page
      .decoy('container', containerNumber(random))
      .text(' ')
      .decoy('quantity', `${random.int(2, 900)} CTN`)
      .text(' ')
      .decoy('goods', description);
    page
      .text(' HS ')
      .decoy('commodity', code)
      .text(' ')
      .decoy('weight', `${random.int(1, 28)},${random.digits(3)}.${random.digits(2)}`)
      .line();
    page
      .text('SEAL ')
      .decoy('seal', random.digits(6))
      .text(' LOT ')
      .decoy('reference', random.digits(5))
      .line();
  }
  return page;
}

export function address(page: PageWriter, random: Random): void {
  page.item('address', postalAddress(random).join(random.pick(['\n', '\n', ', ']))).line();
}

export function phone(page: PageWriter, random: Random): void {
  const number = phoneNumber(random);
  // national numbers without a label are not planted: nobody could tell them from others
  const isPlain = /^0\d+ /.test(number) && !number.startsWith('00');
  page
    .label(isPlain ? 'Tel.' : random.pick(PHONE_LABELS))
    .item('phone', number)
    .line();
}

export function mail(page: PageWriter, random: Random): void {
  page.label(random.pick(MAIL_LABELS)).item('email', mailAddress(random)).line();
}

export function signature(page: PageWriter, random: Random): void {
  const name = fullName(random);
  const date = `${random.int(10, 28)} October 2026`;
  random.pick([
    () => page.text('Signature\n').item('printed_name', name).text('\nDate ').decoy('date', date),
    () => page.text('Signature of consignee: ').item('printed_name', name).text(' Date ').decoy('date', date),
    () => page.item('printed_name', name).text('\n(Signature)\n').decoy('date', date),
    () =>
      page.text('Signed: ____________ ').item('printed_name', name).line().text('Date: ').decoy('date', date),
    () =>
      page.text('Signature ____________\nName in block capitals: ').item('printed_name', name.toUpperCase()),
    () => page.text('Unterschrift / Signature\n\n').item('printed_name', name),
  ])();
  page.line();
}
