import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'receipt show <delivery>',
  summary: 'Show what the sender of a delivery was told, in order, and the newest receipt.',
  input: z.strictObject({
    delivery: z.string().regex(/^\d{1,18}$/, 'expected the number of a delivery'),
  }),
  run: ({ delivery }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rows = await reader
        .selectFrom('docket.receipts')
        .select(['outcome', 'code', 'seq', 'issued_at', 'key_id', 'jws'])
        .where('delivery_id', '=', delivery)
        .orderBy('receipt_no')
        .execute();
      const newest = rows.at(-1);
      if (!newest) {
        throw new DocketError('RECEIPT_NOT_FOUND', `nothing was told of a delivery ${delivery} yet`, {
          hint: 'receipts are issued by a worker that has the keys for them; see docs/receipts.md',
        });
      }
      const receipts = rows.map(({ issued_at, jws, ...row }) => ({
        ...row,
        issued_at: isoTime(issued_at),
        receipt: jws,
      }));
      const table = textTable(
        ['issued', 'outcome', 'code', 'event', 'key'],
        receipts.map((one) => [one.issued_at, one.outcome, one.code, one.seq, one.key_id]),
      );
      return { json: { delivery, receipts }, text: `${table}\n\n${newest.jws}` };
    }),
});
