import { z } from 'zod';
import type { Answer } from '../answer.ts';
import { withDatabase } from '../database-access.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { defineVerb } from '../verb.ts';
import type { Verification } from '../verify/verification.ts';
import { verify } from '../verify/verification.ts';
import { claimLines, verificationLines } from '../verify/verification-lines.ts';

/** Verification reads the whole log. */
const WITHOUT_LIMIT = 0;

export default defineVerb({
  usage: 'verify',
  summary:
    'Recompute everything, compare it with the copies of checkpoints outside, and say what that proves.',
  options: [
    ['--checkpoint <file>', 'a checkpoint, or a copy of the file of checkpoints, that you kept'],
    ['--key <file>', 'the only keys by which checkpoints are believed, one NAME+KEYID+BASE64 a line'],
  ],
  input: z.strictObject({ checkpoint: z.string().optional(), key: z.string().optional() }),
  run: ({ checkpoint, key }, { config, log, live, interrupted }) =>
    withDatabase(config, { log, statementTimeoutMs: WITHOUT_LIMIT }, async (database) => {
      const progress = createProgress(live);
      const begun = performance.now();
      let step = '';
      const draw = () =>
        progress.note(`verifying ${step}, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      const clock = setInterval(draw, 1000);
      try {
        const verification = await verify(database, {
          checkpoint,
          key,
          signal: interrupted,
          onStep(next) {
            step = next;
            draw();
          },
        });
        return toAnswer(verification);
      } finally {
        clearInterval(clock);
        progress.clear();
      }
    }),
});

function toAnswer(verification: Verification): Answer {
  const { ok, rows, spans, copies, witnesses, vouchedFor } = verification;
  return {
    json: {
      verified: ok,
      claim: vouchedFor === null ? 'self_consistent_only' : 'extends_outside_copies',
      size: Number(spans.size),
      unsealed: Number(spans.unsealed),
      vouched_for: vouchedFor === null ? null : Number(vouchedFor),
      checks: rows.map(({ checked_count, failed_count, ...row }) => ({
        ...row,
        checked_count: Number(checked_count),
        failed_count: Number(failed_count),
      })),
      copies: copies.map(({ place, kind, checkpoints, size, signedBy, lost, failure }) => ({
        place,
        kind,
        checkpoints,
        size: size === null ? null : Number(size),
        signed_by: signedBy?.replaceAll(' ', '_') ?? null,
        lost,
        failure,
      })),
      witnesses: (witnesses ?? []).map(({ name, size, at }) => ({
        name,
        size: size === null ? null : Number(size),
        at,
      })),
    },
    text: [...verificationLines(verification), '', ...claimLines(verification)].join('\n'),
    exitCode: ok ? EXIT.ok : EXIT.checkFailed,
  };
}
