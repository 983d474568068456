import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parsePublicKeys } from '../../receipts/public-keys.ts';
import type { Receipt } from '../../receipts/receipt.ts';
import { verifyReceipt } from '../../receipts/verify-receipt.ts';
import { refuseFile } from '../scan-files.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'receipt verify <file>',
  summary: 'Verify a receipt by a key that you trust, and say what it says. Needs no database.',
  options: [['--key <file>', 'public keys: what GET /receipt-keys answers, or one as JWK or PEM']],
  input: z.strictObject({ file: z.string(), key: z.string('name the keys that you trust: --key FILE') }),
  async run({ file, key }) {
    const [jws, keys] = await Promise.all([readText(file), readText(key)]);
    const { receipt, kid } = await verifyReceipt(jws, parsePublicKeys(keys));
    return { json: { verified: true, key: kid, receipt }, text: describe(receipt, kid) };
  },
});

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => refuseFile(file, error));
}

function describe(receipt: Receipt, kid: string): string {
  const { delivery, event, earlier } = receipt;
  const facts: [string, string | undefined][] = [
    ['signed by', `${receipt.iss}, key ${kid}`],
    ['issued', new Date(receipt.iat * 1000).toISOString()],
    ['outcome', receipt.outcome],
    ['code', receipt.code],
    ['meaning', receipt.meaning],
    ['remedy', receipt.remedy],
    ['source', receipt.sub],
    ['delivery', `${delivery.id}, received ${delivery.received_at}`],
    ['captured', `${delivery.captured_at_as_stated} as stated by the sender`],
    ['sha256', delivery.sha256],
    ['bytes', String(delivery.size_bytes)],
    ['document', receipt.document],
    ['bytes came', earlier && `with delivery ${earlier.id}, received ${earlier.received_at}`],
    ['event', event && `${event.seq} ${event.name} at ${event.at}, hash ${event.hash}`],
  ];
  return [
    'The receipt is genuine.',
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(10)}  ${value}`])),
    `  ${receipt.statement}`,
  ].join('\n');
}
