-- Whether an OCR configuration may be activated: it was active before, or a trial of it has ended in which some document was compared.
-- Called by: activate_ocr_version; ocr_version_states, with the rights of the reader.
create or replace function docket.is_tried(p_version integer)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select p_version = 1
    or exists (
      select
      from docket.changes h
      where h.control = 'ocr' and h.target = 'active' and (h.new_value ->> 'version')::integer = p_version
    )
    or exists (
      select
      from docket.ocr_trials t
      where t.ocr_version = p_version and t.ended_at is not null
        and exists (select from docket.trial_comparisons c where c.trial_id = t.trial_id)
    )
$$;
comment on function docket.is_tried(integer) is
  'Whether an OCR configuration was active before, or compared with what is published in a trial that has ended.';
