import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import type { ControlState } from './control-states.ts';
import { controlStates } from './control-states.ts';
import { plainTime } from './iso-time.ts';

/** A gate that is closed, or a pool that has no slots, because somebody set it so. */
export interface HaltedControl extends Omit<ControlState, 'value'> {
  readonly next_command: string;
}

/** What was set so that something stands still, the worst first: what concerns all documents before what concerns some. */
export async function haltedControls(reader: Kysely<Database>): Promise<HaltedControl[]> {
  const states = await controlStates(reader, ['admission', 'pool']);
  return states
    .filter(({ control, value }) => value !== null && (control === 'admission' || isPaused(value)))
    .map(({ value: _, ...state }) => ({ ...state, next_command: nextCommand(state) }))
    .sort((one, other) => rank(one) - rank(other));
}

/** The same in words, for a person. */
export function haltWords({
  control,
  target,
  changed_by: by,
  reason,
  expires_at: until,
}: HaltedControl): string {
  const what = control === 'pool' ? `The pool ${target} has no slots` : `Admission is closed to ${target}`;
  return [
    by === null ? `${what}.` : `${what}, set by ${by}: ${(reason ?? '').replace(/\.$/, '')}.`,
    ...(until === null ? [] : [`It ends by itself at ${plainTime(until)}.`]),
  ].join(' ');
}

function isPaused(value: unknown): boolean {
  const { per_process: each, fleet } = value as Record<'per_process' | 'fleet', number | null>;
  return each === 0 || fleet === 0;
}

function nextCommand({
  control,
  target,
  change,
}: Pick<ControlState, 'control' | 'target' | 'change'>): string {
  if (control === 'admission') return `docket admission open ${target} --reason '...'`;
  return change === null
    ? `docket pool set ${target} --per-process NUMBER --reason '...'`
    : `docket undo ${change} --reason '...'`;
}

function rank({ control, target }: HaltedControl): number {
  if (control === 'pool') return target === 'audit' ? 3 : 1;
  return target === 'all' ? 0 : 2;
}
