import { sql } from 'kysely';
import { z } from 'zod';
import { CHANGE_HEADINGS, changeCells, controlStates } from '../control-states.ts';
import { controlWords } from '../control-words.ts';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'pool list',
  summary: 'List pools of workers: how many slots they may have, have been granted, and use.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const states = await controlStates(reader, ['pool']);
      const { rows: slots } = await sql<{
        pool: string;
        processes: number;
        granted: number;
        running: number;
        held_back: string[];
        meaning: string;
      }>`
        select p.pool, p.processes, p.granted, p.running,
          array(
            select distinct g.held_back
            from docket.slot_grants g
            join docket.leases l on l.lease_id = g.lease_id and l.closed_at is null and l.deadline > clock_timestamp()
            where g.pool = p.pool and g.held_back is not null
            order by g.held_back
          ) as held_back,
          p.meaning
        from docket_api.pools p
        order by p.pool`.execute(reader);
      const pools = slots.flatMap((slot) =>
        states
          .filter((state) => state.target === slot.pool)
          .map(({ control: _, target: _target, value, ...change }) => ({ ...slot, limit: value, ...change })),
      );
      return {
        json: { pools },
        text: textTable(
          ['pool', 'limit', 'processes', 'granted', 'running', 'held back by', ...CHANGE_HEADINGS],
          pools.map((one) => [
            one.pool,
            controlWords('pool', one.limit),
            one.processes,
            one.granted,
            one.running,
            one.held_back.join(', '),
            ...changeCells(one),
          ]),
        ),
      };
    }),
});
