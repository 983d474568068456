import {
  bilevel,
  grain,
  punchHoles,
  quarterTurns,
  skew,
  soften,
  speckle,
  streaks,
  tone,
  unevenLight,
} from '../degrade.ts';
import type { CorpusDocument } from '../document.ts';
import { withOrientation } from '../formats/jpeg.ts';
import { encodeTiff } from '../formats/tiff.ts';
import { billOfLading } from '../pages/bill-of-lading.ts';
import { cmrNote } from '../pages/cmr-note.ts';
import { customsDeclaration } from '../pages/customs-declaration.ts';
import { deliveryReceipt } from '../pages/delivery-receipt.ts';
import { exceptionSheet } from '../pages/exception-sheet.ts';
import { packingList } from '../pages/packing-list.ts';
import { termsAndConditions } from '../pages/terms.ts';
import { weighbridgeTicket } from '../pages/weighbridge-ticket.ts';
import { jpegDocument, pngDocument, scanAsFax, scanAsJpeg } from '../scan.ts';

const PUBLISHED = { state: 'published' } as const;
const JPEG = 'image/jpeg';

/** Documents of one page, from the cleanest to the most worn. */
export const SINGLE_PAGES: readonly CorpusDocument[] = [
  {
    file: '01-bill-of-lading.png',
    kind: 'bill_of_lading',
    source: 'harbour-office',
    mediaType: 'image/png',
    pages: 1,
    exercises: 'clean 300 dpi print; ruled table, container numbers with check digits',
    expected: PUBLISHED,
    build: async () => pngDocument('01', billOfLading('first', 300), []),
  },
  {
    file: '02-bill-of-lading-skewed.jpg',
    kind: 'bill_of_lading',
    source: 'harbour-office',
    mediaType: JPEG,
    pages: 1,
    exercises: '200 dpi, turned by 2.3 degrees, grain, JPEG quality 40',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('02', billOfLading('second', 200), 40, [
        tone(25, 238),
        skew(2.3, 238),
        soften(0.12),
        grain(6),
      ]),
  },
  {
    file: '03-cmr-note-colour.jpg',
    kind: 'cmr_note',
    source: 'road-desk',
    mediaType: JPEG,
    pages: 1,
    exercises:
      'colour: red form, black typing, blue signatures, a stamp; punch holes; turned by -1.4 degrees',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('03', cmrNote('third', 200), 68, [
        tone(20, 244),
        punchHoles(40),
        skew(-1.4, 244),
        soften(0.08),
        grain(3),
      ]),
  },
  {
    file: '04-delivery-receipt-faded.jpg',
    kind: 'delivery_receipt',
    source: 'door-app',
    mediaType: JPEG,
    pages: 1,
    exercises: 'thermal paper at 203 dpi, faded to under half of its contrast, worn printer dots',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('04', deliveryReceipt('fourth', 203), 75, [
        streaks(14, 255),
        tone(128, 226),
        soften(0.16),
        grain(5),
      ]),
  },
  {
    file: '05-delivery-receipt-shadow.jpg',
    kind: 'delivery_receipt',
    source: 'door-app',
    mediaType: JPEG,
    pages: 1,
    exercises: 'thermal paper, light falling off by half, turned by -3.5 degrees',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('05', deliveryReceipt('fifth', 300), 65, [
        tone(60, 240),
        skew(-3.5, 240),
        unevenLight(0.55),
        grain(6),
      ]),
  },
  {
    file: '06-customs-declaration-150dpi.jpg',
    kind: 'customs_declaration',
    source: 'customs-desk',
    mediaType: JPEG,
    pages: 1,
    exercises: 'small print at 150 dpi, grain',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('06', customsDeclaration('sixth', 150), 70, [tone(20, 242), soften(0.06), grain(4)]),
  },
  {
    file: '07-customs-declaration-skewed.jpg',
    kind: 'customs_declaration',
    source: 'customs-desk',
    mediaType: JPEG,
    pages: 1,
    exercises: 'turned by 5 degrees, light falling off by half',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('07', customsDeclaration('seventh', 220), 58, [
        tone(25, 238),
        skew(5, 238),
        unevenLight(0.5),
        soften(0.06),
        grain(4),
      ]),
  },
  {
    file: '08-exception-sheet.jpg',
    kind: 'exception_sheet',
    source: 'harbour-office',
    mediaType: JPEG,
    pages: 1,
    exercises: 'signatures in ink and a stamp over print; turned by 1.1 degrees',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('08', exceptionSheet('eighth', 200), 66, [
        tone(20, 242),
        skew(1.1, 242),
        soften(0.06),
        grain(3),
      ]),
  },
  {
    file: '09-exception-sheet-rotated-90.jpg',
    kind: 'exception_sheet',
    source: 'harbour-office',
    mediaType: JPEG,
    pages: 1,
    exercises: 'fed sideways: rotated by 90 degrees clockwise, nothing says so',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('09', exceptionSheet('ninth', 200, false), 60, [tone(25, 240), grain(4), quarterTurns(1)]),
  },
  {
    file: '10-terms-dense.jpg',
    kind: 'terms',
    source: 'road-desk',
    mediaType: JPEG,
    pages: 1,
    exercises: 'two columns of dense serif small print at 250 dpi',
    expected: PUBLISHED,
    build: () =>
      jpegDocument('10', termsAndConditions(250), 55, [
        tone(20, 244),
        skew(-0.6, 244),
        soften(0.06),
        grain(3),
      ]),
  },
  {
    file: '11-packing-list-upside-down.tif',
    kind: 'packing_list',
    source: 'harbour-office',
    mediaType: 'image/tiff',
    pages: 1,
    exercises: 'group 4 fax compression, rotated by 180 degrees, dust',
    expected: PUBLISHED,
    build: async () => {
      const sheet = packingList('eleventh', 200, { number: 1, of: 1 });
      const page = await scanAsFax('11', sheet, [
        soften(0.1),
        bilevel(150),
        speckle(0.0002),
        quarterTurns(2),
      ]);
      return { bytes: encodeTiff([page]), truth: [sheet.truth] };
    },
  },
  {
    file: '12-weighbridge-ticket-phone.jpg',
    kind: 'weighbridge_ticket',
    source: 'door-app',
    mediaType: JPEG,
    pages: 1,
    exercises: 'stored sideways with a little-endian EXIF orientation of 6, as a phone does',
    expected: PUBLISHED,
    build: async () => {
      const sheet = weighbridgeTicket('twelfth', 200);
      // Orientation 6 tells a viewer to turn the stored pixels by 90 degrees clockwise, so they are stored turned by 270.
      const scan = await scanAsJpeg('12', sheet, 70, [
        tone(30, 235),
        unevenLight(0.3),
        grain(4),
        quarterTurns(3),
      ]);
      return { bytes: withOrientation(scan.jpeg, 6), truth: [sheet.truth] };
    },
  },
];
