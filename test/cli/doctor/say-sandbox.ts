// Prints what the doctor says of the sandbox that there is where this runs.
import { sandboxFindings } from '../../../src/cli/doctor/sandbox.ts';
import { findConfinement } from '../../../src/sandbox/confinement.ts';

process.stdout.write(JSON.stringify(sandboxFindings(findConfinement(512), { isRoot: false })));
