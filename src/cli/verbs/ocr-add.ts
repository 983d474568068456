import { z } from 'zod';
import { addOcrVersion } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { localPins } from '../ocr/local-pins.ts';
import { versionParts } from '../ocr/version-parts.ts';
import { defineVerb } from '../verb.ts';

/** The engine that this package comes with, whose pins this host can tell. */
const OWN_ENGINE = 'tesseract.js';

export default defineVerb({
  usage: 'ocr add',
  summary: 'Add an OCR configuration, by which nothing is read before it was tried and activated.',
  options: [
    [
      '--set <assignments...>',
      'parameters that differ: group.name=value, such as preparation.targetDpi=300; model=4.0.0',
    ],
    ['--gate <assignments...>', 'gates that differ: kind.min_confidence=55, kind.min_characters=100'],
    [
      '--file <file>',
      'the same from a file, in the form that ocr show prints with --json; options go before it',
    ],
    ['--engine <name>', `engine that it is for; default: ${OWN_ENGINE}`],
    [
      '--no-pins',
      'any version of the engine and its model may read by it; default: those of this host alone',
    ],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    set: z.array(z.string()).default([]),
    gate: z.array(z.string()).default([]),
    file: z.string().optional(),
    engine: z.string().optional(),
    pins: z.boolean().default(true),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: async ({ reason, as: login, ...said }, { config, log }) => {
    const parts = await versionParts(said);
    const engine = said.engine ?? parts.engine ?? OWN_ENGINE;
    const pins = await pinsOf();
    const { parameters, gates } = parts;
    return withDatabase(config, { log }, (database) =>
      actAs(database, { as: login, roles: ['docket_operator'] }, async (pool) => {
        const [added] = await addOcrVersion(pool, {
          engine,
          parameters: JSON.stringify(parameters),
          pins: JSON.stringify(pins),
          gates: JSON.stringify(gates),
          reason,
        });
        if (!added) throw new DocketError('DATABASE_ERROR', 'the OCR configuration was not added');
        const { ocr_version: version } = added;
        return {
          json: { version, engine, parameters, pins, gates, reason },
          text: [
            `OCR configuration ${version} is added. Nothing is read by it yet.`,
            `Try it on published documents: docket ocr trial ${version} --count 20 --reason '...'`,
          ].join('\n'),
        };
      }),
    );

    /** Those of the file, else those of this host: they are also where it shows that the engine can read by the parameters. */
    async function pinsOf(): Promise<Readonly<Record<string, string>>> {
      if (!said.pins) return {};
      if (parts.pins !== undefined) return parts.pins;
      if (engine !== OWN_ENGINE) {
        throw new DocketError(
          'USAGE',
          `--engine: this host has no engine ${engine} whose pins it could tell`,
          {
            hint: 'state them in a file, or --no-pins',
          },
        );
      }
      return localPins(config, parts.parameters, log);
    }
  },
});
