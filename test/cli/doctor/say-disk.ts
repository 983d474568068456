// Prints what the doctor says of a folder: say-disk.ts FOLDER NEEDED [scans].
import { diskFindings } from '../../../src/cli/doctor/free-disk.ts';

const [folder = '', needed = '0', holds] = process.argv.slice(2);
const findings = await diskFindings({
  folder,
  meaning: 'a place of tests',
  ifFull: 'the test says so',
  needed: Number(needed),
  isForPlainScans: holds === 'scans',
});
process.stdout.write(JSON.stringify(findings));
