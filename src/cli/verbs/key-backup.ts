import { resolve } from 'node:path';
import { z } from 'zod';
import { backUpKeyFile } from '../../sealing/key-file.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'key backup <file>',
  summary: 'Copy the key file to a place where nothing is yet. Without its keys no sealed scan can be read.',
  input: z.strictObject({ file: z.string().min(1) }),
  async run({ file }, { config }) {
    const copy = resolve(file);
    const keys = await backUpKeyFile(config.keyFile, copy);
    return {
      json: { file: copy, keys },
      text: [
        `Copied ${keys.length === 1 ? 'the key' : `${keys.length} keys`} to ${copy}`,
        'Whoever has that file and the object store can read every scan: keep it offline, and not beside the store.',
      ].join('\n'),
    };
  },
});
