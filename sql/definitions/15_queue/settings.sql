-- The queue table turns over fast: vacuum it often, and let nobody but its owner near it.
set local role docket_queue;

alter table graphile_worker._private_jobs
  set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);

revoke all on all functions in schema graphile_worker from public;

set local role docket_door;
revoke all on all functions in schema docket_queue from public;
