-- Notes where the newest checkpoint is kept, and where it could not be put. It is what the signer says, for people to look it up by;
-- nothing is decided by it.
-- Called by: the worker that signs. Effects: checkpoint_places.
create or replace function docket.note_checkpoint_places(
  p_epoch integer,
  p_places text[],
  p_kinds text[],
  p_sizes bigint[],
  p_failures text[]
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- record: in one order, so that two signers never wait for each other
  insert into docket_audit.checkpoint_places as p (place, kind, epoch, size, copied_at, failed_at, failure)
  select n.place, n.kind, case when n.size is not null then p_epoch end, n.size,
    case when n.size is not null then clock_timestamp() end,
    case when n.failure is not null then clock_timestamp() end, left(n.failure, 1000)
  from unnest(p_places, p_kinds, p_sizes, p_failures) as n (place, kind, size, failure)
  order by n.place
  on conflict (place) do update set
    kind = excluded.kind,
    epoch = coalesce(excluded.epoch, p.epoch),
    size = coalesce(excluded.size, p.size),
    copied_at = coalesce(excluded.copied_at, p.copied_at),
    failed_at = excluded.failed_at,
    failure = excluded.failure;
end;
$$;
comment on function docket.note_checkpoint_places(integer, text[], text[], bigint[], text[]) is
  'Notes where the newest checkpoint is kept outside the database, as the signer says.';
