-- Versions of the redaction rules, with their measured recall and how far the pages are redacted by them.
create or replace view docket_api.rule_sets
with (security_invoker)
as
select
  s.rule_set_id,
  s.name,
  s.meaning,
  s.recall,
  case
    when s.rule_set_id = (select docket.active_rule_set()) then 'active'
    when s.is_wanted then 'staged'
    else 'retired'
  end as state,
  s.staged_at,
  a.activated_at,
  a.is_emergency,
  (select count(*) from docket.jobs j where j.state = 'published')::integer as published,
  case
    when s.is_wanted then (select count(*) from docket.jobs j where j.state = 'published') - (
      select count(*)
      from docket.redaction_todo t
      join docket.jobs j on j.job_id = t.job_id
      where t.rule_set_id = s.rule_set_id and j.state = 'published'
    )
    else (
      select count(*)
      from docket.redactions r
      join docket.jobs j on j.job_id = r.job_id and j.result_attempt = r.attempt
      where r.rule_set_id = s.rule_set_id and j.state = 'published'
    )
  end::integer as redacted,
  -- what is published is on the list from then on, until it is redacted
  case
    when s.is_wanted then (
      select count(*)
      from docket.redaction_todo t
      join docket.jobs j on j.job_id = t.job_id
      where t.rule_set_id = s.rule_set_id and j.state = 'published'
    )
  end::integer as withheld
from docket.rule_sets s
left join lateral (
  select a.activated_at, a.is_emergency
  from docket.rule_set_activations a
  where a.rule_set_id = s.rule_set_id
  order by a.activation_id desc
  limit 1
) as a on true;
comment on view docket_api.rule_sets is
  $$Versions of the redaction rules, what was measured of them, and how many of the documents you may see they have redacted.
@primaryKey rule_set_id$$;
comment on column docket_api.rule_sets.rule_set_id is 'Number of the version.';
comment on column docket_api.rule_sets.name is 'Name by which it is cited; it always means the same rules.';
comment on column docket_api.rule_sets.meaning is
  $$What it is for.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.recall is
  $$What was measured of it: kind of data, items planted, items found. What it misses stays readable.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.state is
  $$staged, active or retired.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.staged_at is
  $$When it was staged.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.activated_at is
  $$When it last became active.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.is_emergency is
  $$Whether it became active before all pages were redacted by it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.published is
  $$Published documents that you may see.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.redacted is
  $$Those of them that it has redacted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.rule_sets.withheld is
  $$Those of them that it has not redacted yet: while it is active, no analyst sees their pages. Null for a retired set.
@behavior -filterBy -orderBy$$;
