import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../db/rows.ts';
import type { Answer } from './answer.ts';
import { statusFacts } from './status/status-facts.ts';
import { statusScreen } from './status/status-screen.ts';
import { statusTroubles } from './status/status-troubles.ts';
import type { Medium } from './terminal/paint.ts';

/** What is wrong, the worst first, each with the next command; then how many documents are where, and who works on them. */
export async function overallStatus(
  reader: Kysely<Database>,
  config: Config,
  medium: Medium,
): Promise<Answer> {
  const facts = await statusFacts(reader, config);
  const troubles = statusTroubles(facts);
  const { deliveries, workers, states, quarantined, disputed, alerts, outages, halted, levels, ocr } = facts;
  return {
    json: {
      at: facts.at,
      troubles,
      deliveries,
      workers: workers.length,
      fleet: workers,
      states,
      quarantined: quarantined
        .filter(({ documents }) => documents > 0)
        .map(({ code, documents }) => ({ code, documents })),
      quarantined_last_hour: quarantined
        .filter(({ last_hour }) => last_hour > 0)
        .map(({ code, last_hour }) => ({ code, documents: last_hour })),
      disputed: disputed.documents,
      alerts,
      outages,
      halted,
      ages: levels.ages,
      published_within_hour: levels.published,
      slos: levels.slos,
      ocr,
      stuck_duties: facts.duties,
      sealing: facts.sealing,
      checkpoint_places: facts.places,
    },
    text: statusScreen(facts, troubles, medium),
  };
}
