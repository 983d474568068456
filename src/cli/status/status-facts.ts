import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/rows.ts';
import type { Signing } from '../doctor/signing.ts';
import { signingStands } from '../doctor/signing.ts';
import type { HaltedControl } from '../halted-controls.ts';
import { haltedControls } from '../halted-controls.ts';
import { isoTime } from '../iso-time.ts';
import type { Outage } from '../open-outages.ts';
import { openOutages } from '../open-outages.ts';
import type { SealingFacts } from '../sealing-facts.ts';
import { sealingFacts } from '../sealing-facts.ts';
import type { OcrStanding } from './ocr-standing.ts';
import { ocrStanding } from './ocr-standing.ts';
import type { OpenAlert } from './open-alerts.ts';
import { openAlerts } from './open-alerts.ts';
import type { ServiceLevels } from './service-levels.ts';
import { serviceLevels } from './service-levels.ts';
import type { StuckDuty } from './stuck-duties.ts';
import { stuckDuties } from './stuck-duties.ts';
import type { LiveWorker } from './worker-slots.ts';
import { workerSlots } from './worker-slots.ts';

/** A state, how many documents are in it, and how old the oldest is there; null where documents stay for good. */
export interface StateCount {
  readonly state: string;
  readonly documents: number;
  readonly oldest_seconds: number | null;
}

/** A code for which documents are in quarantine, and how many came there within the last hour. */
export interface QuarantineCount {
  readonly code: string | null;
  readonly documents: number;
  readonly last_hour: number;
}

/** A place where checkpoints are kept, as the signer says. */
export interface CheckpointPlace {
  readonly place: string;
  readonly kind: 'file' | 'bucket' | 'witness';
  /** Leaves of the newest one that it took; null: none. */
  readonly size: number | null;
}

/** All that docket status tells, as it was read. */
export interface StatusFacts {
  /** By the clock of the database. */
  readonly at: string;
  readonly deliveries: number;
  readonly states: readonly StateCount[];
  readonly quarantined: readonly QuarantineCount[];
  readonly disputed: {
    readonly documents: number;
    readonly since: string | null;
    readonly seconds: number | null;
  };
  readonly alerts: readonly OpenAlert[];
  readonly outages: readonly Outage[];
  readonly halted: readonly HaltedControl[];
  readonly duties: readonly StuckDuty[];
  readonly workers: readonly LiveWorker[];
  readonly levels: ServiceLevels;
  readonly ocr: OcrStanding;
  readonly sealing: SealingFacts;
  readonly signing: Signing;
  readonly places: readonly CheckpointPlace[];
  /** In seconds; of this configuration. */
  readonly checkpointSeconds: Config['checkpointSeconds'];
}

/** Reads all of it, one after the other, over one connection. Nothing here reads whole tables of documents. */
export async function statusFacts(reader: Kysely<Database>, config: Config): Promise<StatusFacts> {
  const { rows: states } = await sql<StateCount>`
    select c.state, c.documents::float8 as documents,
      -- documents that stay where they are for good have no age
      case when not s.is_terminal then greatest(extract(epoch from clock_timestamp() - c.oldest_at), 0)::float8 end as oldest_seconds
    from docket.document_counts() with ordinality as c (state, documents, oldest_at, place)
    join docket.job_states s on s.state = c.state
    order by c.place`.execute(reader);
  const { rows: disputed } = await sql<{ documents: number; since: string | null; seconds: number | null }>`
    select count(*)::float8 as documents, min(d.disputed_at) as since,
      extract(epoch from clock_timestamp() - min(d.disputed_at))::float8 as seconds
    from docket.disputed_documents d`.execute(reader);
  const { rows: places } = await sql<CheckpointPlace>`
    select place, kind, size::float8 from docket_audit.checkpoint_places order by kind, place`.execute(
    reader,
  );
  const { rows: now } = await sql<{ at: string; deliveries: number }>`
    select clock_timestamp() as at, docket.delivery_count()::float8 as deliveries`.execute(reader);
  const { documents = 0, since = null, seconds = null } = disputed[0] ?? {};
  return {
    at: isoTime(now[0]?.at ?? ''),
    deliveries: now[0]?.deliveries ?? 0,
    states,
    quarantined: await quarantineCounts(reader),
    disputed: { documents, since: isoTime(since), seconds },
    alerts: await openAlerts(reader),
    outages: await openOutages(reader),
    halted: await haltedControls(reader),
    duties: await stuckDuties(reader),
    workers: await workerSlots(reader),
    levels: await serviceLevels(reader),
    ocr: await ocrStanding(reader),
    sealing: await sealingFacts(reader),
    signing: await signingStands(reader),
    places,
    checkpointSeconds: config.checkpointSeconds,
  };
}

/** By the first code of what is in quarantine, and by the code of what was quarantined within the hour, be it released since. */
async function quarantineCounts(reader: Kysely<Database>): Promise<QuarantineCount[]> {
  const { rows } = await sql<QuarantineCount>`
    select coalesce(q.code, g.code) as code, coalesce(q.documents, 0)::float8 as documents, coalesce(g.documents, 0)::float8 as last_hour
    from (select j.first_code as code, count(*) as documents from docket.jobs j where j.state = 'quarantined' group by j.first_code) as q
    full join (
      select h.code, sum(h.documents) as documents from docket.quarantine_growth('1 hour') as h group by h.code
    ) as g on g.code = q.code
    order by documents desc, last_hour desc, code`.execute(reader);
  return rows;
}
