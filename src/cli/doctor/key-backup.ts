import { stat } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { notedBackups, type KeyBackup } from '../../sealing/key-backups.ts';
import { readKeyFile } from '../../sealing/key-file.ts';
import type { Finding } from './finding.ts';

/** What the loss of the key file would be. */
function lossOf(recoveryKey: string | undefined): Pick<Finding, 'severity' | 'consequence'> {
  return recoveryKey === undefined
    ? {
        severity: 'problem',
        consequence: 'if the key file is lost, no scan that its keys seal can be read again',
      }
    : {
        severity: 'warning',
        consequence:
          'if the key file is lost, nothing can be read or replayed until the recovery key is fetched',
      };
}

/**
 * Whether a copy was made that has all keys of the key file, and, of a copy that is within reach, whether it still opens what the
 * key file does. A copy that is kept offline, as it should be, is believed.
 */
export async function keyBackupFindings({
  keyFile,
  recoveryKey,
}: Pick<Config, 'keyFile' | 'recoveryKey'>): Promise<Finding[]> {
  const loss = lossOf(recoveryKey);
  const keys = await readKeyFile(keyFile).catch(() => undefined);
  // A file that cannot be used is told of as such.
  if (!keys) return [];
  const backups = (await notedBackups(keyFile)).toReversed();
  const [newest] = backups;
  if (!newest) {
    return [
      {
        ...loss,
        what: `no copy of ${keyFile} is known`,
        remedy: 'docket key backup FILE, on a medium that you keep elsewhere',
      },
    ];
  }
  const ids = keys.keys.map((key) => key.id);
  const complete = backups.find((backup) => ids.every((id) => backup.keys.includes(id)));
  if (!complete) {
    const missing = ids.filter((id) => !backups.some((backup) => backup.keys.includes(id)));
    return [
      {
        ...loss,
        what:
          missing.length === 0
            ? `no single copy of ${keyFile} has all of its keys`
            : `${missing.includes(keys.current.id) ? 'the current key' : 'a key'}, ${missing.join(', ')}, is in no copy of ${keyFile}; the last was made at ${newest.at}`,
        remedy: 'docket key backup FILE, on a medium that you keep elsewhere',
      },
    ];
  }
  return copyFindings(complete, { keyFile, ids, loss });
}

async function copyFindings(
  backup: KeyBackup,
  {
    keyFile,
    ids,
    loss,
  }: { keyFile: string; ids: readonly string[]; loss: Pick<Finding, 'severity' | 'consequence'> },
): Promise<Finding[]> {
  const { file, at } = backup;
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) {
    return [
      {
        severity: 'note',
        what: `the copy of the key file of ${at} is not within reach at ${file}, as it should be`,
        consequence: 'whether it can still be read is not known',
        remedy: 'now and then: fetch it, and compare it with the key file',
      },
    ];
  }
  const copied = await readKeyFile(file).catch(() => undefined);
  const isWhole = ids.every((id) => copied?.keys.some((key) => key.id === id));
  if (!isWhole) {
    return [
      {
        ...loss,
        what: `the copy of the key file at ${file} cannot be read, or no longer has its keys`,
        remedy: 'docket key backup FILE, to another place',
      },
    ];
  }
  const original = await stat(keyFile);
  if (original.dev !== found.dev) return [];
  return [
    {
      severity: 'warning',
      what: `the only known copy of the key file with all of its keys, ${file}, is on the same disk`,
      consequence: 'one lost disk takes both',
      remedy: 'docket key backup FILE, on a medium that you keep elsewhere',
    },
  ];
}
