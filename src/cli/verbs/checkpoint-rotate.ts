import { z } from 'zod';
import { replaceLogKey } from '../../checkpoints/log-key.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'checkpoint rotate',
  summary: 'Make a new key that signs checkpoints from now on; earlier ones stay verifiable by theirs.',
  input: z.strictObject({}),
  async run(_input, { config }) {
    const { publicKey } = await replaceLogKey(config.logKeyFile);
    return {
      json: { public_key: publicKey.toString('hex'), key_file: config.logKeyFile },
      text: [
        'A new key signs from now on; a running worker notices by itself.',
        '  its public half, once it has signed  docket checkpoint keys',
        '  whoever trusts the old key, and every witness, has to be given the new one',
      ].join('\n'),
    };
  },
});
