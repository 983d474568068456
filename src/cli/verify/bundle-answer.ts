import { legible } from '../../domain/legible.ts';
import type { Step } from '../../verify/step.ts';
import type { Trust, VerifiedBundle } from '../../verify/verify-bundle.ts';
import type { VerifiedDocument } from '../../verify/verify-document.ts';
import type { Answer } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';

/** What the whole is worth, in a sentence. */
const WORTH: Readonly<Record<Trust, string>> = {
  key: 'What is good here is borne out by the log, whose checkpoint a key that you named has signed.',
  checkpoint: 'What is good here is borne out by the log whose checkpoint you kept.',
  'self-consistent':
    'Self-consistent only: it agrees with itself, and whoever made it could have made all of it up. Name a key of the log: --key FILE.',
};

/** What was recomputed of a bundle, for a program and for a person. */
export function bundleAnswer({ ok, trust, checkpoint, steps, documents }: VerifiedBundle): Answer {
  return {
    json: {
      verified: ok,
      trust,
      origin: checkpoint?.origin ?? null,
      size: checkpoint ? Number(checkpoint.size) : null,
      documents: documents.map(({ jobId, sha256, state, events, original }) => ({
        job_id: jobId,
        sha256,
        state,
        events: events.length,
        original: original !== undefined,
      })),
      steps: steps.map(({ jobId, ...step }) => ({ job_id: jobId, ...step })),
    },
    text: [
      ...documents.map(documentLine),
      ...[...new Set(steps.map(({ name }) => name))].map((name) =>
        nameLine(
          name,
          steps.filter((step) => step.name === name),
        ),
      ),
      ...steps.filter((step) => step.ok === false).flatMap(failedLines),
      ok
        ? `VERIFIED. ${WORTH[trust]} What happened after the last event here, it does not say.`
        : 'NOT VERIFIED: see "WRONG" above.',
    ].join('\n'),
    exitCode: ok ? EXIT.ok : EXIT.checkFailed,
  };
}

function documentLine({ jobId, sha256, state, events }: VerifiedDocument): string {
  return legible(`document ${jobId}: ${state} as of event ${events.length}, SHA-256 ${sha256}`);
}

function nameLine(name: string, steps: readonly Step[]): string {
  const count = (wanted: boolean | null) => steps.filter(({ ok }) => ok === wanted).length;
  const [good, bad, open] = [count(true), count(false), count(null)];
  const parts = [
    ...(good > 0 ? [`${good} good`] : []),
    ...(bad > 0 ? [`${bad} WRONG`] : []),
    ...(open > 0
      ? [`${open} not checked: ${[...new Set(steps.flatMap(({ remark }) => remark || []))].join('; ')}`]
      : []),
  ];
  return `  ${name.padEnd(20)}  ${parts.join(', ')}`;
}

/** What a bundle says of itself is kept on its line: it must not look like a line of the answer. */
function failedLines({ jobId, name, item, computed, expected }: Step): string[] {
  return [
    `WRONG: ${name}: ${item}${jobId === null ? '' : ` of document ${jobId}`}`,
    `  computed  ${shortened(computed)}`,
    `  expected  ${shortened(expected)}`,
  ].map((line) => legible(line));
}

/** A page of text is not printed whole. */
function shortened(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length <= 200 ? line : `${line.slice(0, 200)}… (${String(text.length)} characters)`;
}
