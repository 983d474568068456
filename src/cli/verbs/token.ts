import { userInfo } from 'node:os';
import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { SUBJECT, TOKEN_ROLES } from '../../server/identity.ts';
import { openLocalKey } from '../../server/local-key.ts';
import { defineVerb } from '../verb.ts';

const MOST_HOURS = 366 * 24;

export default defineVerb({
  usage: 'token',
  summary: 'Print a token for the GraphQL API, signed by the local key of the data folder.',
  options: [
    ['--role <role>', TOKEN_ROLES.join(', ')],
    ['--sources <names>', 'sources it may see, separated by commas; * for all'],
    ['--subject <name>', 'who will be recorded; default: your user name'],
    ['--hours <number>', 'how long it holds; default: 8'],
  ],
  input: z.strictObject({
    role: z.enum(TOKEN_ROLES, `expected one of ${TOKEN_ROLES.join(', ')}`),
    sources: z
      .string('required')
      .transform((names) => names.split(',').map((name) => name.trim()))
      .refine((names) => names.every((name) => name !== ''), 'expected NAME,NAME… or *'),
    subject: z.string().regex(SUBJECT, 'expected 1 to 200 printable characters').default(userName),
    hours: z.coerce
      .number('expected a number')
      .positive('expected more than 0')
      .max(MOST_HOURS, `expected at most ${MOST_HOURS}`)
      .default(8),
  }),
  async run({ role, sources, subject, hours }, { config, tell, json }) {
    if (config.tokenKeys !== undefined) {
      throw new DocketError('CONFIG_TOKEN_KEYS', 'the server believes DOCKET_TOKEN_KEYS, not the local key', {
        hint: 'get the token from whoever holds those keys, or unset DOCKET_TOKEN_KEYS for all of Docket',
      });
    }
    const key = await openLocalKey(config.dataDir);
    const { token, expiresAt } = await key.sign({
      subject,
      role,
      sources,
      hours,
      audience: config.tokenAudience,
      issuer: config.tokenIssuer,
    });
    const expires = expiresAt.toISOString();
    // Only the token on standard output, so that TOKEN=$(docket token …) holds it.
    if (!json)
      tell(`"${subject}" as ${role} for ${sources.join(', ')} until ${expires}, signed by ${key.file}`);
    return { json: { token, subject, role, sources, expires_at: expires }, text: token };
  },
});

/** A user of a container may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 0}`;
  }
}
