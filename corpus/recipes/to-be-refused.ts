import { createHash } from 'node:crypto';
import { grain, soften, tone } from '../degrade.ts';
import type { CorpusDocument } from '../document.ts';
import { createPdfCipher } from '../formats/pdf-cipher.ts';
import { encodeScannedPdf } from '../formats/pdf.ts';
import { billOfLading } from '../pages/bill-of-lading.ts';
import { deliveryReceipt } from '../pages/delivery-receipt.ts';
import { weighbridgeTicket } from '../pages/weighbridge-ticket.ts';
import { createRandom } from '../random.ts';
import { jpegDocument, scanAsJpeg } from '../scan.ts';
import { SINGLE_PAGES } from './single-pages.ts';

/** Opens 16-locked.pdf; it is no secret, and the project never uses it. */
export const LOCKED_PDF_PASSWORD = 'quayside';

const worn = [tone(25, 238), soften(0.06), grain(4)];
const again = SINGLE_PAGES.find((document) => document.file.startsWith('04-'))!;

/** Deliveries that must not become documents of their own. */
export const TO_BE_REFUSED: readonly CorpusDocument[] = [
  {
    file: '16-locked.pdf',
    kind: 'weighbridge_ticket',
    source: 'customs-desk',
    mediaType: 'application/pdf',
    pages: 1,
    exercises: 'PDF that asks for a password (AES-256, revision 6)',
    expected: { state: 'quarantined', code: 'ENCRYPTED' },
    build: async () => {
      const image = await scanAsJpeg('16', weighbridgeTicket('sixteenth', 150), 55, worn);
      const cipher = createPdfCipher(LOCKED_PDF_PASSWORD, 'harbourmaster', createRandom('cipher/16'));
      return { bytes: encodeScannedPdf([{ image }], 'Locked', cipher) };
    },
  },
  {
    file: '17-cut-short.jpg',
    kind: 'bill_of_lading',
    source: 'harbour-office',
    mediaType: 'image/jpeg',
    pages: 1,
    exercises: 'upload that broke off: the last two fifths of the bytes are missing',
    expected: { state: 'quarantined', code: 'TRUNCATED' },
    build: async () => {
      const { bytes } = await jpegDocument('17', billOfLading('seventeenth', 150), 55, worn);
      return { bytes: bytes.subarray(0, Math.floor(bytes.length * 0.6)) };
    },
  },
  {
    file: '18-delivery-receipt-again.jpg',
    kind: again.kind,
    source: 'road-desk',
    mediaType: again.mediaType,
    pages: again.pages,
    exercises: 'the very bytes of 04 from another sender under another name',
    expected: { state: 'duplicate', of: again.file },
    build: async () => ({ bytes: (await again.build()).bytes }),
  },
  {
    file: '19-swapped-after-hashing.jpg',
    kind: 'delivery_receipt',
    source: 'door-app',
    mediaType: 'image/jpeg',
    pages: 1,
    exercises: 'a readable receipt, but the sender states the hash of other bytes',
    expected: { state: 'quarantined', code: 'HASH_MISMATCH' },
    claimedSha256: createHash('sha256')
      .update('the receipt as it was before somebody changed it')
      .digest('hex'),
    build: async () => ({
      bytes: (await jpegDocument('19', deliveryReceipt('nineteenth', 150), 60, worn)).bytes,
    }),
  },
];
