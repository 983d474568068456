-- Raises unless who acts may deliver for the source, and may now: a scan that would be refused is not taken in first.
-- Called by: the server, before it takes the bytes of a scan. Errors: ZD010, ZD017, ZD071, ZD072.
create or replace function docket.require_may_put(p_source_id text)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform docket.require_may_deliver(p_source_id);
  perform docket.refuse_excess(array[p_source_id]);
end;
$$;
comment on function docket.require_may_put(text) is
  'Raises ZD010, ZD017, ZD071 or ZD072 unless who acts may deliver a scan for the source now.';
