import { access, constants, stat } from 'node:fs/promises';
import type { StorePresence } from '../store-presence.ts';
import type { Finding } from './finding.ts';

/** Whether the folder of a file store is there, and is this user's alone. */
export async function storeFolderFindings({ store, finding }: StorePresence): Promise<Finding[]> {
  if (finding !== null) {
    return [{ severity: 'problem', what: `the store ${store} is not there`, ...finding }];
  }
  if (store === 'memory:') {
    return [
      {
        severity: 'problem',
        what: 'the store is memory:',
        consequence: 'every scan is gone when the process ends',
        remedy: 'DOCKET_STORE=file:FOLDER or s3://BUCKET',
      },
    ];
  }
  if (!store.startsWith('file:')) return [];
  const folder = store.slice('file:'.length);
  const { mode } = await stat(folder);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return [
    ...(isWritable
      ? []
      : [
          {
            severity: 'problem' as const,
            what: `this user may not write to the store ${folder}`,
            consequence: 'nothing that is delivered from here can be kept',
            remedy: `as root: chown the folder to the user of the workers`,
          },
        ]),
    ...((mode & 0o022) === 0
      ? []
      : [
          {
            severity: 'problem' as const,
            what: `others may write to the store ${folder}`,
            consequence:
              'they can remove scans; Docket notices that they are gone, and cannot bring them back',
            remedy: `chmod 700 ${folder}`,
          },
        ]),
    {
      severity: 'note',
      what: `the store ${store} is a folder: nothing but the rights of its user protects a scan from removal`,
      consequence: 'retention and legal holds bind Docket, and not whoever may write there',
      remedy: 'a bucket with Object Lock holds them back too: DOCKET_STORE=s3://BUCKET, docs/objects.md',
    },
  ];
}
