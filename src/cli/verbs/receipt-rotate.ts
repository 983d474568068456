import { z } from 'zod';
import { addReceiptKey } from '../../receipts/key-file.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'receipt rotate',
  summary: 'Make a new key that signs receipts from now on; earlier receipts stay verifiable by theirs.',
  input: z.strictObject({}),
  async run(_input, { config }) {
    const { kid, madeAt } = await addReceiptKey(config.receiptKeyFile);
    return {
      json: { key: kid, made_at: madeAt.toISOString(), key_file: config.receiptKeyFile },
      text: [
        `${kid} signs from now on; running workers notice by themselves.`,
        '  its public half, once it has signed  docket receipt keys',
      ].join('\n'),
    };
  },
});
