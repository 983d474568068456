import type pg from 'pg';
import { setFlowLimit, setPoolLimit } from '../../db/commands.ts';
import { DATABASE_DENIED } from '../../db/errors.ts';
import type { Proposal } from '../../domain/loadtest/proposal.ts';
import { DocketError } from '../../errors.ts';
import { actAs } from '../acting-login.ts';
import type { Answer } from '../answer.ts';
import { changeAnswer } from '../change-answer.ts';
import type { DatabaseAccess } from '../database-access.ts';

/** Who applies what a load test proposes, why, and for how long. */
export interface Application {
  readonly as: string | undefined;
  readonly reason: string;
  readonly for: string | undefined;
}

/** Throws DATABASE_DENIED where the login may not set limits: before anything is measured. */
export async function requireMayApply(database: DatabaseAccess, { as }: Application): Promise<void> {
  await asOperator(database, as, async (pool) => {
    const { rows } = await pool.query<{ may: boolean }>(
      `select has_function_privilege('docket.set_flow_limit(text, json, text, interval)', 'execute') as may`,
    );
    if (rows[0]?.may === true) return;
    throw new DocketError(DATABASE_DENIED, 'this login may not set limits', {
      hint: 'only operators may: grant docket_operator to it, or leave out --apply',
    });
  });
}

/** Sets the slots of pool ocr and the limit of all, by the commands of operators: two changes, each to be undone for itself. */
export async function applyProposal(
  database: DatabaseAccess,
  { slots, pagesPerMinute, pagesBurst }: Proposal,
  { as, reason, for: span }: Application,
): Promise<Answer[]> {
  const terms = { reason, ...(span !== undefined && { for: span }) };
  return asOperator(database, as, async (pool) => {
    const limit = JSON.stringify({ pages_per_minute: pagesPerMinute, pages_burst: pagesBurst });
    const changes = [
      ...(await setPoolLimit(pool, { pool: 'ocr', perProcess: slots, fleet: null, ...terms })),
      ...(await setFlowLimit(pool, { target: 'all', limit, ...terms })),
    ];
    const answers: Answer[] = [];
    for (const { change_id: changeId } of changes) answers.push(await changeAnswer(pool, changeId));
    return answers;
  });
}

function asOperator<T>(
  database: DatabaseAccess,
  as: string | undefined,
  act: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  return actAs(database, { as, roles: ['docket_operator'] }, act);
}
