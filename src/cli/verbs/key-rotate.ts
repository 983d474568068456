import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { addKey } from '../../sealing/key-file.ts';
import { defineVerb } from '../verb.ts';
import { withKeyring } from '../sealing-keys.ts';

export default defineVerb({
  usage: 'key rotate',
  summary: 'Make a new key that wraps the keys of scans from now on; the old ones stay until rewrap is done.',
  input: z.strictObject({}),
  async run(_input, { config, tell }) {
    if (config.kmsKey !== undefined) {
      throw new DocketError('USAGE', 'a key of KMS is rotated in KMS, not here', {
        hint: 'for another key: set DOCKET_KMS_KEY to it, then docket key rewrap',
      });
    }
    const { id, madeAt } = await withKeyring(config, tell, () => addKey(config.keyFile));
    return {
      json: { key: id, made_at: madeAt.toISOString(), key_file: config.keyFile },
      text: [
        `${id} wraps from now on; running workers and servers notice by themselves.`,
        '  keep a copy      docket key backup FILE',
        '  for what there is  docket key rewrap',
      ].join('\n'),
    };
  },
});
