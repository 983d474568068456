import { z } from 'zod';
import { addSource } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { needsPassword, tellLogin } from '../login-answer.ts';
import { ensureSenderLogin } from '../sender-login.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source add <name>',
  summary: 'Add a source of scans and the login that delivers for it, made if it does not exist.',
  options: [
    ['--login <role>', 'login of the sender'],
    ['--note <text>', 'what an operator should know'],
  ],
  input: z.strictObject({
    name: z.string(),
    login: z.string().min(1, 'required'),
    note: z.string().optional(),
  }),
  run: ({ name, login, note }, { config, log }) =>
    withDatabase(config, { log }, async (database) => {
      // The source first: a malformed name must not leave a login behind.
      await addSource(database.as('docket_operator'), {
        sourceId: name,
        ...(note !== undefined && { note }),
      });
      const made = await ensureSenderLogin(typedQueries(database.owner()), login, {
        needsPassword: needsPassword(database),
        renewPassword: false,
      });
      await addSource(database.as('docket_operator'), { sourceId: name, login });
      return tellLogin(database, { source: name, login, ...made });
    }),
});
