import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { readCheckpoint } from '../../domain/checkpoint.ts';
import { legible } from '../../domain/legible.ts';
import { DocketError } from '../../errors.ts';
import { readBundle, type BundleFiles } from '../../verify/bundle-files.ts';
import { readReceiptKeys } from '../../verify/receipt-keys.ts';
import { verifyBundle } from '../../verify/verify-bundle.ts';
import { bundleAnswer } from '../verify/bundle-answer.ts';
import { readKeyFile } from '../verify/read-key-file.ts';
import { refuseFile } from '../scan-files.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'bundle verify <file>',
  summary: 'Recompute everything in a bundle, by keys that you trust. Needs no database.',
  options: [
    ['--key <file>', 'keys of the log and of witnesses, one NAME+KEYID+BASE64 a line'],
    ['--receipt-key <file>', 'keys of receipts: what GET /receipt-keys answers, or one as JWK or PEM'],
    ['--checkpoint <file>', 'a checkpoint of the log that you kept'],
  ],
  input: z.strictObject({
    file: z.string(),
    key: z.string().optional(),
    receiptKey: z.string().optional(),
    checkpoint: z.string().optional(),
  }),
  async run({ file, key, receiptKey, checkpoint }) {
    const keys = {
      ...(key !== undefined && { logKeys: await readKeyFile(key) }),
      ...(receiptKey !== undefined && { receiptKeys: await parsed(receiptKey, readReceiptKeys) }),
      ...(checkpoint !== undefined && { checkpoints: [await parsed(checkpoint, readCheckpoint)] }),
    };
    return bundleAnswer(verifyBundle(await read(file), keys));
  },
});

async function read(file: string): Promise<BundleFiles> {
  try {
    return await readBundle(createReadStream(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) refuseFile(file, error);
    throw new DocketError(
      'BUNDLE_MALFORMED',
      `${file} is no bundle, or was altered: ${legible(error.message)}`,
      {
        cause: error,
        hint: 'have it sent again: docs/bundle.md says what a bundle is',
      },
    );
  }
}

async function parsed<T>(file: string, parse: (text: string) => T): Promise<T> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => refuseFile(file, error));
  try {
    return parse(text);
  } catch (cause) {
    throw new DocketError('USAGE', `${file} cannot be used: ${(cause as Error).message}`, {
      cause,
      hint: 'docket bundle verify --help',
    });
  }
}
