-- That a leaf is in the log that a checkpoint states, as a C2SP tlog-proof.
-- Called by: bundle_of. Not granted to anyone.
create or replace function docket.proof_text(
  p_index bigint,
  p_size bigint,
  p_note text
)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select concat(
    E'c2sp.org/tlog-proof@v1\nindex ', p_index, E'\n',
    (
      select string_agg(encode(h.hash, 'base64') || E'\n', '' order by h.place)
      from unnest(docket.inclusion_proof(p_index, p_size)) with ordinality as h (hash, place)
    ),
    E'\n', p_note
  )
$$;
comment on function docket.proof_text(bigint, bigint, text) is 'Proof that a leaf is in the log of a checkpoint, as C2SP tlog-proof.';
