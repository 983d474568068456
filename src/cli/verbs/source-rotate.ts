import { z } from 'zod';
import { addSource, removeSourceLogin } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { needsPassword, tellLogin } from '../login-answer.ts';
import { ensureSourceLogin } from '../source-login.ts';
import { sendersOf } from '../source-members.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source rotate <name>',
  summary: 'Make a login the only sender of a source, with a new password; the others can no longer deliver.',
  options: [['--login <role>', 'login of the sender, made if it does not exist']],
  input: z.strictObject({ name: z.string(), login: z.string().min(1, 'required') }),
  run: ({ name, login }, { config, log }) =>
    withDatabase(config, { log }, async (database) => {
      const before = await sendersOf(database, name);
      const made = await ensureSourceLogin(typedQueries(database.owner()), login, {
        group: 'docket_app',
        needsPassword: needsPassword(database),
        renewPassword: true,
      });
      const operator = database.as('docket_operator');
      await addSource(operator, { sourceId: name, login });
      const removed = before.filter((one) => one !== login);
      for (const one of removed) await removeSourceLogin(operator, { sourceId: name, login: one });
      return tellLogin(database, { source: name, login, ...made, removed });
    }),
});
