-- Every OCR configuration, and what it is now: withdrawn (rolled back), active, canary, known_good (where a rollback goes), tried (may be
-- activated) or candidate (may be tried).
-- Called by: operators, evidence owners and auditors; docket ocr list.
create or replace view docket.ocr_version_states
as
select
  v.ocr_version,
  case
    when w.ocr_version is not null then 'withdrawn'
    when v.ocr_version = c.active_version then 'active'
    when v.ocr_version = c.canary_version then 'canary'
    when v.ocr_version = c.known_good_version then 'known_good'
    when docket.is_tried(v.ocr_version) then 'tried'
    else 'candidate'
  end as role,
  case
    when c.rollback_to is not null then case when v.ocr_version = c.rollback_to then 1 end
    when v.ocr_version = c.active_version then 1 - coalesce(c.canary_share::numeric, 0)
    when v.ocr_version = c.canary_version then c.canary_share::numeric
  end::double precision as share,
  v.engine,
  v.parameters,
  v.pins,
  v.gates,
  t.trials,
  t.compared,
  v.reason,
  v.added_by,
  v.added_at,
  w.withdrawn_at,
  w.withdrawn_by,
  w.reason as withdrawn_because
from docket.ocr_versions v
cross join docket.ocr_choice c
left join docket.ocr_withdrawals w on w.ocr_version = v.ocr_version
cross join lateral (
  select count(*)::integer as trials,
    coalesce(sum((select count(*) from docket.trial_comparisons d where d.trial_id = t.trial_id)), 0)::integer as compared
  from docket.ocr_trials t
  where t.ocr_version = v.ocr_version
) as t;
comment on view docket.ocr_version_states is 'Every OCR configuration, and what it is now.';
comment on column docket.ocr_version_states.ocr_version is 'Number of the configuration.';
comment on column docket.ocr_version_states.role is
  'withdrawn: it was rolled back. active: it reads. canary: it reads a share. known_good: a rollback goes there. tried: it may be activated. candidate: it may be tried.';
comment on column docket.ocr_version_states.share is 'Share of the documents begun now that it reads, up to 1; null: none.';
comment on column docket.ocr_version_states.engine is 'Engine that it is for; null: whichever a worker has.';
comment on column docket.ocr_version_states.parameters is 'Parameters that differ from the built-in ones, in groups.';
comment on column docket.ocr_version_states.pins is 'What the engine says of itself must be this.';
comment on column docket.ocr_version_states.gates is 'Gates that differ from those of docket.document_kinds, by kind.';
comment on column docket.ocr_version_states.trials is 'Trials of it, ended or not.';
comment on column docket.ocr_version_states.compared is 'Documents that were compared in them.';
comment on column docket.ocr_version_states.reason is 'Why it was added, in words.';
comment on column docket.ocr_version_states.added_by is 'Who added it.';
comment on column docket.ocr_version_states.added_at is 'When.';
comment on column docket.ocr_version_states.withdrawn_at is 'When it was rolled back; null: it was not.';
comment on column docket.ocr_version_states.withdrawn_by is 'Who rolled it back.';
comment on column docket.ocr_version_states.withdrawn_because is 'Why, in words.';
