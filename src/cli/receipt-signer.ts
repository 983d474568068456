import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { ReceiptSigner } from '../receipts/signer.ts';
import { openReceiptSigner } from '../receipts/signer.ts';

/**
 * Opens the keys by which receipts are signed, and tells of them if they were made just now. On a database elsewhere none is
 * made but where one is named: senders would get receipts by keys that come and go. Without keys the worker issues none.
 */
export async function receiptSigner(
  config: Config,
  { ownFolder, tell, log }: { ownFolder: boolean; tell: (line: string) => void; log: Log },
): Promise<ReceiptSigner | undefined> {
  const signer = await openReceiptSigner(config, { mayMake: ownFolder || config.isReceiptKeyNamed });
  if (signer?.isNew === true) {
    tell(`Made the key by which receipts are signed: ${config.receiptKeyFile}`);
    tell('  Whoever has it can sign in your name. Senders need its public half: docket receipt keys');
  }
  if (!signer) {
    log.warn(
      { file: config.receiptKeyFile },
      'this worker issues no receipts: there is no key file, and DOCKET_RECEIPT_KEY names none',
    );
  }
  return signer;
}
