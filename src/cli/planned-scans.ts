import { stat } from 'node:fs/promises';
import { DocketError } from '../errors.ts';

/** A scan as it is to be delivered: once, or once for each envelope that goes with it. */
export interface PlannedScan {
  readonly file: string;
  readonly envelopes: readonly string[];
  readonly scanNumber: number | undefined;
}

/** What the names of envelopes end in that lie beside their scans: `scan.png.p7s` belongs to `scan.png`. */
const ENDINGS = ['.p7s', '.jws', '.dsse.json', '.tsr'] as const;

/**
 * Says which envelopes and which number each of the files gets. `envelope` is the one of a single scan; `besides` takes those that
 * lie beside scans, and tells them from scans; numbers count on from the first. Throws USAGE, and FILE_NOT_FOUND for an envelope
 * without its scan.
 */
export async function planScans(
  files: readonly string[],
  given: {
    readonly envelope: string | undefined;
    readonly besides: boolean;
    readonly firstNumber: number | undefined;
  },
): Promise<PlannedScan[]> {
  const { envelope, besides, firstNumber } = given;
  if (envelope !== undefined && (besides || files.length > 1)) {
    throw new DocketError('USAGE', '--envelope is the envelope of one scan', {
      hint: 'name one file; or lay the envelopes beside their scans: --envelopes',
    });
  }
  const scans = besides ? scansAmong(files) : files;
  return Promise.all(
    scans.map(async (file, place) => ({
      file,
      envelopes: besides ? await envelopesBeside(file) : envelope === undefined ? [] : [envelope],
      scanNumber: firstNumber === undefined ? undefined : firstNumber + place,
    })),
  );
}

/** An envelope whose scan is not there would be lost, or taken for a scan itself. */
function scansAmong(files: readonly string[]): string[] {
  const scans = new Set(files.filter((file) => scanOf(file) === undefined));
  for (const file of files) {
    const scan = scanOf(file);
    if (scan !== undefined && !scans.has(scan)) {
      throw new DocketError('FILE_NOT_FOUND', `${file} is an envelope, and ${scan} is not among the scans`, {
        hint: 'name the scan too, or take the envelope out of the folder',
      });
    }
  }
  return files.filter((file) => scans.has(file));
}

function scanOf(file: string): string | undefined {
  const ending = ENDINGS.find((one) => file.endsWith(one));
  return ending && file.slice(0, -ending.length);
}

async function envelopesBeside(scan: string): Promise<string[]> {
  const found = await Promise.all(
    ENDINGS.map(async (ending) => {
      const entry = await stat(scan + ending).catch(() => undefined);
      return entry?.isFile() === true ? [scan + ending] : [];
    }),
  );
  return found.flat();
}
