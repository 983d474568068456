-- The key by which a place that a delivery names is opened, as JSON: null for a place that Docket did not seal; is_foreign
-- without the key where it was sealed for another source than the one that names it, which so shows nothing.
-- Called by: candidate_locators, claim_delivery_checks, read_original. Not granted to anyone.
create or replace function docket.object_key_of(
  p_locator text,
  p_source_id text,
  p_encryption text
)
returns json
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    when k.source_id <> p_source_id then json_build_object('is_foreign', true)
    else json_build_object(
      'object_key_id', k.object_key_id, 'key_id', k.key_id, 'sha256', encode(k.sha256, 'hex'),
      'wrapped_key', encode(k.wrapped_key, 'base64'), 'is_foreign', false
    )
  end
  from docket.object_keys k
  where p_encryption = 'docket' and k.locator = p_locator
$$;
comment on function docket.object_key_of(text, text, text) is
  'JSON of the key by which an object that a delivery names is opened; without the key if it was sealed for another source.';
