import type pg from 'pg';
import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import type { SigningKey } from '../receipts/key-file.ts';
import { receiptPayload, type Receipt } from '../receipts/receipt.ts';
import { signReceipt } from '../receipts/sign-receipt.ts';
import type { ReceiptSigner } from '../receipts/signer.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';

const RECEIPTS_AT_ONCE = 250;

/** Documents under way come first: what became of one meanwhile is told by one receipt instead of two. */
const REST = 2;

/**
 * Issues receipts: signs what the database hands out and hands it back, which records what is still true of it. What a dead
 * worker had under way is handed out again. A key is recorded before it signs, so that every receipt can be verified.
 */
export function startReceipts(options: {
  db: pg.Pool;
  signer: ReceiptSigner;
  issuer: string;
  log: Log;
}): Pick<Loop, 'stop'> {
  const { db, signer, issuer, log } = options;
  let recorded: string | undefined;

  async function recordedKey(): Promise<SigningKey> {
    const key = await signer.current();
    if (key.kid !== recorded) {
      await commands.addReceiptKey(db, { publicJwk: JSON.stringify(key.publicJwk) });
      recorded = key.kid;
      log.info({ key: key.kid }, 'receipts are signed by this key');
    }
    return key;
  }

  function sign({ delivery_id, claims }: commands.ClaimReceiptsRow, key: SigningKey): string[] {
    // as it was handed out, to the letter: nothing else is recorded
    const said = { iss: issuer, ...(claims as object) };
    const receipt = receiptPayload.safeParse(said);
    if (receipt.success) return [signReceipt(said as Receipt, key)];
    log.error(
      { delivery: delivery_id, err: receipt.error },
      'what is to be told of a delivery is no receipt',
    );
    return [];
  }

  return startLoop({
    name: 'receipts',
    everyMs: 50,
    idleMs: 500,
    rest: REST,
    log,
    async round() {
      const key = await recordedKey();
      const claimed = await commands.claimReceipts(db, { limit: RECEIPTS_AT_ONCE });
      const jws = claimed.flatMap((one) => sign(one, key));
      if (jws.length > 0) await commands.recordReceipts(db, { jws });
      return claimed.length > 0;
    },
  });
}
