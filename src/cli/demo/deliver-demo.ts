import { addTrustAnchor } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { openKeyring } from '../../sealing/keyring.ts';
import { createStore } from '../../store/create-store.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Delivery } from '../deliver.ts';
import { deliver } from '../deliver.ts';
import type { StoredScan } from '../scan-files.ts';
import { storeScan } from '../scan-files.ts';
import type { DemoScan } from './demo-scan.ts';
import { makeSenders } from './demo-senders.ts';
import type { DemoDelivery } from './sign-scans.ts';

/** A scan of the demo after its delivery. */
export interface DeliveredScan extends DemoScan, Delivery {
  readonly stored: StoredScan;
}

/**
 * Seals each scan into the store and delivers it, one row each, as its source's own login. An operator has said before which
 * keys the sources sign by.
 */
export async function deliverDemo(
  database: DatabaseAccess,
  { scans, anchors }: DemoDelivery,
  signal: AbortSignal,
  onDelivered: (scan: DeliveredScan) => void,
): Promise<DeliveredScan[]> {
  const senders = await makeSenders(
    database,
    scans.map((scan) => scan.sourceId),
  );
  for (const anchor of anchors) await addTrustAnchor(database.as('docket_operator'), anchor);
  const store = createStore(database.config);
  const keyring = await openKeyring(database.config);
  const delivered: DeliveredScan[] = [];
  for (const scan of scans) {
    const sender = senders.get(scan.sourceId);
    if (!sender) throw new DocketError('INTERNAL_ERROR', `${scan.file} has no sender`);
    const { path, sourceId } = scan;
    const stored = await storeScan({ store, keyring, db: sender }, path, { sourceId, signal });
    const statement = {
      scan: stored,
      sourceId: scan.sourceId,
      documentKind: scan.kind,
      capturedAt: stored.modifiedAt,
      sha256: scan.claimedSha256,
      envelope: scan.envelope,
    };
    const [delivery] = await deliver(sender, [statement]);
    if (!delivery) throw new DocketError('INTERNAL_ERROR', `${scan.file} was not delivered`);
    const one = { ...scan, ...delivery, stored };
    delivered.push(one);
    onDelivered(one);
  }
  return delivered;
}
