import type pg from 'pg';
import type { Answer } from './answer.ts';
import { controlName, controlWords } from './control-words.ts';
import { isoTime } from './iso-time.ts';
import { typedQueries } from './typed-queries.ts';

/** Tells of a change that was just made: what is set now, what was before, until when, and how it is undone. */
export async function changeAnswer(pool: pg.Pool, changeId: string): Promise<Answer> {
  const change = await typedQueries(pool)
    .selectFrom('docket.changes')
    .selectAll()
    .where('change_id', '=', changeId)
    .executeTakeFirstOrThrow();
  const { control, target, old_value: previous, new_value: value, undoes } = change;
  const expiresAt = isoTime(change.expires_at);
  return {
    json: { change: Number(changeId), control, target, previous, value, expires_at: expiresAt, undoes },
    text: [
      ...(control === 'admission' && previous === null && value === null ? ['It was open already.'] : []),
      `${controlName(control, target)}: ${controlWords(control, value)}. Before: ${controlWords(control, previous)}.`,
      ...(expiresAt === null ? [] : [`It ends by itself at ${expiresAt}.`]),
      ...(undoes === null ? [`Undo it: docket undo ${changeId} --reason '...'`] : []),
    ].join('\n'),
  };
}
