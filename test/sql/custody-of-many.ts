import * as commands from '../../src/db/commands.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { randomHash, type Stage } from './stage.ts';

/** Documents of which nothing is left but their log: never verified, so that no retention keeps them. */
export async function disposeOfSome(stage: Stage, count: number): Promise<string[]> {
  const jobs: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const gone = await stage.deliver();
    await stage.admit();
    await stage.fail(await stage.begin(gone, 'hash'), 'HASH_MISMATCH');
    jobs.push(gone);
  }
  const [anna, berta] = [
    await createLogin(stage.database, 'docket_evidence_owner'),
    await createLogin(stage.database, 'docket_evidence_owner'),
  ];
  await commands.requestDisposal(anna.pool, { jobs, reason: 'wrong scans' });
  await commands.approveDisposal(berta.pool, { jobs, reason: 'agreed' });
  return jobs;
}

/** As many notes on one document. */
export async function amendOften(stage: Stage, amended: string, count: number): Promise<void> {
  const { pool } = await createLogin(stage.database, 'docket_evidence_owner');
  for (let n = 1; n <= count; n += 1) {
    const note = `page ${String(n)} is a copy`;
    await commands.amendMetadata(pool, {
      jobs: [amended],
      documentKind: null,
      note,
      reason: 'seen on the paper',
    });
  }
}

/** A document that two sources see. */
export async function publishedForTwo(stage: Stage): Promise<string> {
  const sha256 = randomHash();
  const published = await stage.published({ sha256 });
  await stage.deliver({ sha256, locator: 'memory:copy' }, await createSender(stage.database, 'carrier-b'));
  await stage.admit();
  const claimed = await commands.claimDeliveryChecks(stage.worker, { limit: 1 });
  await commands.recordDeliveryChecks(stage.worker, {
    deliveries: claimed.map((row) => row.delivery_id),
    codes: [null],
  });
  return published;
}
