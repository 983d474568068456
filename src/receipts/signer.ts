import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import { fileStamp, watchedFile } from '../watched-file.ts';
import type { SigningKey } from './key-file.ts';
import { makeReceiptKeys, readReceiptKeys } from './key-file.ts';

/** Signs what senders are told, by the newest key of the key file. */
export interface ReceiptSigner {
  /** Whether opening it made the key file. */
  readonly isNew: boolean;
  /** The key that signs now: the file is looked at again whenever it changed. Throws CONFIG_RECEIPT_KEY. */
  current(): Promise<SigningKey>;
}

/**
 * Opens the key file of the configuration, and makes it where it may be made. Undefined where there is none and it may not:
 * receipts are left to whoever has the keys. Throws CONFIG_RECEIPT_KEY.
 */
export async function openReceiptSigner(
  { receiptKeyFile: file }: Pick<Config, 'receiptKeyFile'>,
  { mayMake }: { mayMake: boolean },
): Promise<ReceiptSigner | undefined> {
  let isNew = false;
  if ((await readReceiptKeys(file)) === undefined) {
    if (!mayMake) return undefined;
    isNew = await makeReceiptKeys(file);
  }
  const keys = watchedFile(
    () => fileStamp(file),
    () => readReceiptKeys(file),
  );
  return {
    isNew,
    async current() {
      const known = await keys();
      if (known) return known.current;
      throw new DocketError('CONFIG_RECEIPT_KEY', `${file} is gone`, { hint: 'restore it from a copy' });
    },
  };
}
