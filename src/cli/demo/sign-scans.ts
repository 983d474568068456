import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CryptoKey } from 'jose';
import { CompactSign, exportSPKI, generateKeyPair } from 'jose';
import { DocketError } from '../../errors.ts';
import type { DemoScan } from './demo-scan.ts';

/** What the sender of this file signs, with a key that is a trust anchor. */
const SIGNED = ['01-bill-of-lading.png', '08-exception-sheet.jpg', '13-shipment-file.pdf'];
/** Signed with a key of which nobody has told Docket. */
const SIGNED_BY_A_STRANGER = '03-cmr-note-colour.jpg';
/** Signed with the good key, then altered: the scan that is delivered is a copy of this one. */
const ALTERED = {
  original: '08-exception-sheet.jpg',
  file: '20-altered-after-signing.jpg',
  expected: { state: 'quarantined', code: 'SIGNATURE_INVALID' },
} as const;

/** A key by which a source of the demo may sign. */
export interface DemoAnchor {
  readonly sourceId: string;
  readonly label: string;
  readonly pem: string;
}

/** What the demo delivers, and by which keys it may be signed. */
export interface DemoDelivery {
  readonly scans: readonly DemoScan[];
  readonly anchors: readonly DemoAnchor[];
}

/**
 * Has some scans of the corpus signed by their senders, as detached JWS with keys made for it; adds one that was altered
 * after it was signed, which is written into the folder.
 */
export async function signScans(scans: readonly DemoScan[], folder: string): Promise<DemoDelivery> {
  const [office, stranger] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const keys = new Map(SIGNED.map((file) => [file, office.privateKey]));
  keys.set(SIGNED_BY_A_STRANGER, stranger.privateKey);
  const signed = await Promise.all(
    scans.map(async (scan): Promise<DemoScan> => {
      const key = keys.get(scan.file);
      return key ? { ...scan, envelope: await detachedJws(await readFile(scan.path), key) } : scan;
    }),
  );
  const original = signed.find((scan) => scan.file === ALTERED.original);
  if (!original) throw new DocketError('INTERNAL_ERROR', `the corpus has no ${ALTERED.original}`);
  const { sourceId } = original;
  return {
    scans: [...signed, await alterCopy(original, folder)],
    anchors: [{ sourceId, label: 'Key of the harbour office', pem: await exportSPKI(office.publicKey) }],
  };
}

/** The signature stays, and a comment is put behind the first marker of the JPEG: nobody sees it, but it was not signed. */
async function alterCopy(original: DemoScan, folder: string): Promise<DemoScan> {
  const bytes = await readFile(original.path);
  const comment = Buffer.from('\xff\xfe\x00\x09altered', 'latin1');
  const path = join(folder, ALTERED.file);
  await writeFile(path, Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]));
  return { ...original, file: ALTERED.file, path, expected: ALTERED.expected };
}

/** RFC 7515, appendix F: the signed bytes are left out, as they are the scan itself. */
async function detachedJws(bytes: Buffer, key: CryptoKey): Promise<Buffer> {
  const jws = await new CompactSign(bytes).setProtectedHeader({ alg: 'ES256' }).sign(key);
  const [header, , signature] = jws.split('.');
  return Buffer.from(`${header}..${signature}`);
}
