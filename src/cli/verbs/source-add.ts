import { z } from 'zod';
import { addSource, addSourceReader } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { needsPassword, tellLogin } from '../login-answer.ts';
import { requireSource } from '../require-source.ts';
import { ensureSourceLogin } from '../source-login.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source add <name>',
  summary:
    'Add a source of scans, and a login that delivers for it or reads what it may see, made if it does not exist.',
  options: [
    ['--login <role>', 'login of the sender'],
    ['--reader <role>', 'login of an analyst, who may read and never deliver'],
    ['--note <text>', 'what an operator should know'],
  ],
  input: z
    .strictObject({
      name: z.string(),
      login: z.string().min(1).optional(),
      reader: z.string().min(1).optional(),
      note: z.string().optional(),
    })
    .refine(({ login, reader }) => (login === undefined) !== (reader === undefined), {
      error: 'one of --login and --reader is required',
    }),
  run: ({ name, login: sender, reader, note }, { config, log }) =>
    withDatabase(config, { log }, async (database) => {
      const operator = database.as('docket_operator');
      const login = sender ?? reader ?? '';
      const mayDeliver = sender !== undefined;
      // The source first: a malformed or mistyped name must not leave a login behind.
      if (mayDeliver) await addSource(operator, { sourceId: name, ...(note !== undefined && { note }) });
      else await requireSource(typedQueries(operator), name);
      const made = await ensureSourceLogin(typedQueries(database.owner()), login, {
        group: mayDeliver ? 'docket_app' : 'docket_analyst',
        needsPassword: needsPassword(database),
        renewPassword: false,
      });
      await (mayDeliver ? addSource : addSourceReader)(operator, { sourceId: name, login });
      return tellLogin(database, { source: name, login, mayDeliver, ...made });
    }),
});
