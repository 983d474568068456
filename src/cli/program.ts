import { Command } from 'commander';
import { VERSION } from '../version.ts';
import type { Verb } from './verb.ts';
import { firstWords } from './verb.ts';

/** What the verbs of a group are about. */
const GROUPS: Readonly<Record<string, string>> = {
  source: 'Who delivers scans, by which logins, and what is missing of those that are numbered.',
  quarantine: 'What waits for an evidence owner: see it, release it, dispose of it.',
  hold: 'Keep documents from disposal while a matter is open.',
  retention: 'How long documents are kept.',
  trust: 'Whose signatures are believed, by source: keys, certificates, revocation lists.',
  policy: 'Which signatures documents need, by source and kind.',
  key: 'The keys by which scans are sealed.',
  receipt: 'What senders are told of their deliveries, signed, and the keys that sign it.',
  checkpoint: 'Signed statements of what the log is, and where copies of them are kept.',
  recovery: 'What is to be done once the database was restored.',
  rules: 'What analysts do not see: versions of the redaction rules.',
  webhook: 'Where receipts are sent.',
  slo: 'From when on something counts as wrong.',
  alert: 'What is wrong, or was.',
  'alert webhook': 'Where alerts are sent.',
  pool: 'How much workers do at once, while they run.',
  limit: 'How much of each source, or of all together, is admitted.',
  admission: 'Whether documents that were delivered are let in.',
  lane: 'Which documents go first.',
  ocr: 'OCR configurations: what documents are read with, tried before it reads for all.',
  'ocr canary': 'The OCR configuration that reads a share of the documents.',
};

/** Makes the command line of some verbs. `perform` gets the verb that was named, with what was given to it. */
export function buildProgram(
  verbs: readonly Verb[],
  perform: (verb: Verb, given: Record<string, unknown>) => Promise<void>,
): Command {
  const program = new Command('docket')
    .description('Evidence-grade OCR of signed logistics paper. Manual: docs/cli.md')
    .version(VERSION)
    .exitOverride()
    // A verb can be a group too: what follows the word of another verb is that one's.
    .enablePositionalOptions()
    // Errors are printed in one place, where it is known whether JSON is wanted.
    .configureOutput({ writeErr: () => undefined })
    .helpCommand(false);
  for (const verb of verbs) {
    const command = groupOf(program, verb)
      .command(lastWord(verb.usage))
      .description(verb.summary)
      .enablePositionalOptions()
      // What is wrong with a verb, its own help explains.
      .exitOverride((error) => {
        throw Object.assign(error, { verb: firstWords(verb.usage) });
      });
    for (const [flags, meaning] of verb.options) command.option(flags, meaning);
    command
      .option('--json', 'print one JSON document')
      .option('--verbose', 'log on standard error what is done, as DOCKET_LOG_LEVEL says')
      .action(() => perform(verb, { ...namedArguments(command), ...command.opts() }));
  }
  return program;
}

/** `source add <name>` belongs to the group `source`, `ocr canary clear` to `canary` in it; each is made when first met. */
function groupOf(program: Command, verb: Verb): Command {
  const groups = firstWords(verb.usage).split(' ').slice(0, -1);
  return groups.reduce(
    (within, word, at) =>
      within.commands.find((command) => command.name() === word) ??
      within
        .command(word)
        .description(GROUPS[groups.slice(0, at + 1).join(' ')] ?? '')
        .helpCommand(false),
    program,
  );
}

function lastWord(usage: string): string {
  const words = firstWords(usage).split(' ');
  return usage.slice(words.slice(0, -1).join(' ').length).trim();
}

function namedArguments(command: Command): Record<string, unknown> {
  return Object.fromEntries(
    command.registeredArguments.map((argument, at) => [
      argument.name(),
      command.processedArgs[at] as unknown,
    ]),
  );
}
