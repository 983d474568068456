import { bilevel, grain, quarterTurns, skew, soften, speckle, tone } from '../degrade.ts';
import type { CorpusDocument } from '../document.ts';
import { encodeScannedPdf, encodeTextPdf } from '../formats/pdf.ts';
import { encodeTiff } from '../formats/tiff.ts';
import { arrivalNotice } from '../pages/arrival-notice.ts';
import { billOfLading } from '../pages/bill-of-lading.ts';
import { blankBack } from '../pages/blank-back.ts';
import { customsDeclaration } from '../pages/customs-declaration.ts';
import { exceptionSheet } from '../pages/exception-sheet.ts';
import { packingList } from '../pages/packing-list.ts';
import { weighbridgeTicket } from '../pages/weighbridge-ticket.ts';
import { scanAsFax, scanAsJpeg } from '../scan.ts';

const PUBLISHED = { state: 'published' } as const;
const worn = [tone(22, 240), soften(0.06), grain(3)];

/** Documents of several pages. */
export const MANY_PAGES: readonly CorpusDocument[] = [
  {
    file: '13-shipment-file.pdf',
    kind: 'shipment_file',
    source: 'harbour-office',
    mediaType: 'application/pdf',
    pages: 6,
    exercises:
      'PDF of six scans: grey and skewed JPEG pages, a group 4 page, a blank back, one page upright only by /Rotate 90',
    expected: PUBLISHED,
    build: async () => {
      const sheets = {
        bill: billOfLading('thirteenth', 200),
        back: blankBack(150),
        list: packingList('thirteenth', 200, { number: 1, of: 1 }),
        ticket: weighbridgeTicket('thirteenth', 200),
        customs: customsDeclaration('thirteenth', 200),
        damage: exceptionSheet('thirteenth', 150, false),
      };
      const bytes = encodeScannedPdf(
        [
          {
            image: await scanAsJpeg('13/1', sheets.bill, 50, [
              tone(22, 240),
              skew(1.6, 240),
              soften(0.06),
              grain(3),
            ]),
          },
          { image: await scanAsJpeg('13/2', sheets.back, 40, worn) },
          { image: { fax: await scanAsFax('13/3', sheets.list, [soften(0.08), bilevel(150)]) } },
          { image: await scanAsJpeg('13/4', sheets.ticket, 55, [...worn, quarterTurns(3)]), rotate: 90 },
          { image: await scanAsJpeg('13/5', sheets.customs, 50, worn) },
          {
            image: await scanAsJpeg('13/6', sheets.damage, 60, [
              tone(22, 240),
              skew(-2, 240),
              soften(0.04),
              grain(3),
            ]),
          },
        ],
        'Shipment file',
      );
      return { bytes, truth: Object.values(sheets).map((sheet) => sheet.truth) };
    },
  },
  {
    file: '14-packing-list.tif',
    kind: 'packing_list',
    source: 'harbour-office',
    mediaType: 'image/tiff',
    pages: 3,
    exercises: 'TIFF of three group 4 pages, the second turned by 1.5 degrees',
    expected: PUBLISHED,
    build: async () => {
      const sheets = [1, 2, 3].map((number) => packingList('fourteenth', 200, { number, of: 3 }));
      const pages = await Promise.all(
        sheets.map((sheet, i) =>
          scanAsFax(`14/${i + 1}`, sheet, [
            ...(i === 1 ? [skew(1.5, 255)] : []),
            soften(0.1),
            bilevel(150),
            speckle(0.0001),
          ]),
        ),
      );
      return { bytes: encodeTiff(pages), truth: sheets.map((sheet) => sheet.truth) };
    },
  },
  {
    file: '15-arrival-notice.pdf',
    kind: 'arrival_notice',
    source: 'road-desk',
    mediaType: 'application/pdf',
    pages: 2,
    exercises: 'PDF that was never paper: text in a viewer font, no image on either page',
    expected: PUBLISHED,
    build: async () => {
      const pages = arrivalNotice('fifteenth');
      const bytes = encodeTextPdf(
        pages.map((page) => page.lines),
        'Arrival notice',
      );
      return { bytes, truth: pages.map((page) => page.truth) };
    },
  },
];
