import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readLogKey } from '../../checkpoints/log-key.ts';
import type { Config } from '../../config.ts';
import { readReceiptKeys } from '../../receipts/key-file.ts';
import { readKeyFile } from '../../sealing/key-file.ts';
import { localKeyFile, openLocalKey } from '../../server/local-key.ts';
import { toDocketError } from '../cli-error.ts';
import type { Finding } from './finding.ts';

/** A file whose content is worth what it opens or signs. */
export interface SecretFile {
  readonly file: string;
  readonly meaning: string;
  /** What somebody can do who reads it. */
  readonly ifRead: string;
  /** What to do once somebody may have. */
  readonly renew: string;
  /** What follows where it is not there; null where that is as it may be. */
  readonly ifMissing: string | null;
  /** Reads it as the program does. */
  readonly open: (file: string) => Promise<unknown>;
}

/** The secret files that this configuration names. */
export function secretFiles(
  config: Pick<Config, 'keyFile' | 'kmsKey' | 'logKeyFile' | 'receiptKeyFile' | 'dataDir' | 'tokenKeys'>,
): SecretFile[] {
  return [
    {
      file: config.keyFile,
      meaning: 'the key file of sealed scans',
      ifRead: 'whoever has it and the object store can read every scan',
      renew: 'docket key rotate, docket key rewrap',
      ifMissing: config.kmsKey === undefined ? 'nothing is sealed or read from here' : null,
      open: readKeyFile,
    },
    {
      file: config.logKeyFile,
      meaning: 'the key that signs checkpoints',
      ifRead: 'whoever has it can sign another log',
      renew: 'docket checkpoint rotate',
      ifMissing: 'no worker of this host signs checkpoints',
      open: readLogKey,
    },
    {
      file: config.receiptKeyFile,
      meaning: 'the keys that sign receipts',
      ifRead: 'whoever has it can forge receipts',
      renew: 'docket receipt rotate',
      ifMissing: 'no worker of this host issues receipts',
      open: readReceiptKeys,
    },
    // The server looks at it only while no keys from outside are named.
    ...(config.tokenKeys === undefined
      ? [
          {
            file: localKeyFile(config.dataDir),
            meaning: 'the key that signs tokens',
            ifRead: 'whoever has it can be anybody on this server',
            renew: 'remove it, then docket token makes another, and the earlier tokens end',
            ifMissing: null,
            open: () => openLocalKey(config.dataDir),
          },
        ]
      : []),
  ];
}

/** Whether others may read a secret file or put another in its place, and whether the program can use it. */
export async function secretFileFindings(secret: SecretFile): Promise<Finding[]> {
  const { file, meaning, ifRead, renew, ifMissing, open } = secret;
  const found = await stat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) {
    if (ifMissing === null) return [];
    return [
      {
        severity: 'note',
        what: `${file}, ${meaning}, is not there`,
        consequence: `${ifMissing}, until it is; on the embedded database the first process that needs it makes it`,
        remedy: 'where other hosts have it: bring the same file here',
      },
    ];
  }
  const findings = await folderFindings(secret);
  if ((found.mode & 0o077) !== 0) {
    findings.push({
      severity: 'problem',
      what: `others than its owner may read ${file}, ${meaning}`,
      consequence: `${ifRead}; and the program refuses to use it`,
      remedy: `chmod 600 ${file}, and unless nobody has copied it: ${renew}`,
    });
    return findings;
  }
  try {
    await access(file, constants.R_OK);
    await open(file);
  } catch (error) {
    const { message, hint } = toDocketError(error);
    findings.push({
      severity: 'problem',
      what: `${file}, ${meaning}, cannot be used: ${message}`,
      consequence: 'every process that needs it refuses to start',
      remedy: hint ?? 'restore it from a copy, and have the user of the workers own it',
    });
  }
  return findings;
}

/** Who may write to the folder may put another file there. */
async function folderFindings({ file, meaning }: SecretFile): Promise<Finding[]> {
  const folder = dirname(file);
  const { mode } = await stat(folder);
  const isSticky = (mode & 0o1000) !== 0;
  if ((mode & 0o022) === 0 || isSticky) return [];
  return [
    {
      severity: 'problem',
      what: `others may write to ${folder}, where ${meaning} lie${meaning.startsWith('the keys') ? '' : 's'}`,
      consequence: 'they can take the file away or put another in its place',
      remedy: `chmod go-w ${folder}`,
    },
  ];
}
