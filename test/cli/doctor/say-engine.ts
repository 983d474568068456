// Prints what the doctor says of the engine that there is where this runs.
import { engineFindings } from '../../../src/cli/doctor/engine.ts';
import { createLog } from '../../../src/log.ts';

const limits = { ocrMemoryMb: 1024, maxPages: 10, maxPixels: 100_000_000 };
process.stdout.write(JSON.stringify(await engineFindings(limits, createLog({ level: 'silent' }))));
process.exit(0);
