import type { Config } from '../config.ts';
import { openWatchedKey } from '../watched-key.ts';
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
  const keys = await openWatchedKey(file, {
    code: 'CONFIG_RECEIPT_KEY',
    mayMake,
    read: readReceiptKeys,
    make: makeReceiptKeys,
  });
  return keys && { isNew: keys.isNew, current: async () => (await keys.current()).current };
}
