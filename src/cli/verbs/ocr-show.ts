import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { versionArgument } from '../ocr/version-argument.ts';
import type { VersionState } from '../ocr/version-states.ts';
import { assignments, versionStates } from '../ocr/version-states.ts';
import { percent } from '../percent.ts';
import { printable } from '../printable.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'ocr show <number>',
  summary:
    'Show an OCR configuration: what it is now, and all in which it differs from what Docket comes with.',
  input: z.strictObject({ number: versionArgument }),
  run: ({ number }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const [state] = (await versionStates(reader, number)) as [VersionState];
      return { json: state, text: printable(versionText(state)) };
    }),
});

function versionText(state: VersionState): string {
  const { version, role, share, engine, withdrawn } = state;
  return [
    `OCR configuration ${version} is ${role.replace('_', ' ')}${share === null ? '' : `, and reads ${percent(share)} of the documents that are begun now`}.`,
    `added:       ${state.added_at} by ${state.added_by}: ${state.reason}`,
    ...(withdrawn === null ? [] : [`rolled back: ${withdrawn.at} by ${withdrawn.by}: ${withdrawn.because}`]),
    `engine:      ${engine ?? 'whichever a worker has'}`,
    ...lines('parameters:  ', assignments(state.parameters), 'as Docket comes with'),
    ...lines('pins:        ', assignments(state.pins), 'none'),
    ...lines('gates:       ', assignments(state.gates), 'those of the kinds of documents'),
    `trials:      ${state.trials}, with ${state.compared} ${state.compared === 1 ? 'document' : 'documents'} compared`,
    ...nextCommand(state),
  ].join('\n');
}

function lines(heading: string, values: readonly string[], none: string): string[] {
  const [first = none, ...others] = values;
  return [`${heading}${first}`, ...others.map((value) => ' '.repeat(heading.length) + value)];
}

function nextCommand({ version, role }: VersionState): string[] {
  switch (role) {
    case 'candidate':
      return [`Next: docket ocr trial ${version} --count 20 --reason '...'`];
    case 'tried':
      return [`Next: docket ocr activate ${version} --share 0.1 --reason '...'`];
    case 'canary':
      return [
        `Next: docket ocr activate ${version} --reason '...', or docket ocr canary clear --reason '...'`,
      ];
    default:
      return [];
  }
}
