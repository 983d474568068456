import { resolve } from 'node:path';
import { z } from 'zod';
import { noteBackup } from '../../sealing/key-backups.ts';
import { backUpKeyFile } from '../../sealing/key-file.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'key backup <file>',
  summary: 'Copy the key file to a place where nothing is yet. Without its keys no sealed scan can be read.',
  input: z.strictObject({ file: z.string().min(1) }),
  async run({ file }, { config, tell }) {
    const copy = resolve(file);
    const keys = await backUpKeyFile(config.keyFile, copy);
    await noteBackup(config.keyFile, { file: copy, keys }).catch((error: unknown) => {
      tell(`The copy is made; that it was could not be noted for docket doctor: ${String(error)}`);
    });
    return {
      json: { file: copy, keys },
      text: [
        `Copied ${keys.length === 1 ? 'the key' : `${keys.length} keys`} to ${copy}`,
        'Whoever has that file and the object store can read every scan: keep it offline, and not beside the store.',
      ].join('\n'),
    };
  },
});
