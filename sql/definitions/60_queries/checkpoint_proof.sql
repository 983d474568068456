-- The hashes that show that the tree of p_to leaves begins with that of p_from (RFC 9162), in order.
-- Called by: the worker that signs checkpoints, which believes them only once it has checked them; witnesses are sent them.
-- Errors: ZD055 the tree is not so large.
create or replace function docket.checkpoint_proof(p_from bigint, p_to bigint)
returns table (hash bytea)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select n.hash
  from unnest(docket.consistency_proof(p_from, p_to)) with ordinality as n (hash, place)
  order by n.place;
end;
$$;
comment on function docket.checkpoint_proof(bigint, bigint) is
  'The hashes of a consistency proof between two sizes of the tree, in order. Raises ZD055.';
