-- Pages as analysts may see them: of published documents, redacted by the active rule set, complete or not at all.
create or replace view docket_api.pages
with (security_invoker)
as
select
  p.job_id as document_id,
  p.page_no,
  p.width_px,
  p.height_px,
  p.dpi,
  p.rotation_degrees,
  p.angle_degrees,
  p.verdict,
  p.confidence,
  p.text,
  p.words,
  p.masks,
  p.rule_set_id
from docket.redacted_pages p
join docket.jobs j on j.job_id = p.job_id
join docket.redactions r on r.job_id = p.job_id and r.rule_set_id = p.rule_set_id and r.attempt = p.attempt
where p.rule_set_id = (select docket.active_rule_set())
  and j.state = 'published'
  and p.attempt = j.result_attempt;
comment on view docket_api.pages is
  $$Pages of published documents: text, words and masks, as the active redaction rules leave them.
@primaryKey document_id,page_no
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName pages
@foreignKey (rule_set_id) references rule_sets (rule_set_id)|@fieldName ruleSet|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.pages.document_id is 'The document.';
comment on column docket_api.pages.page_no is 'Number of the page, from 1.';
comment on column docket_api.pages.width_px is
  $$Width of the page image in pixels.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.height_px is
  $$Height of the page image in pixels.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.dpi is
  $$Resolution of the page image in pixels an inch.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.rotation_degrees is
  $$Clockwise turn that made the page upright.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.angle_degrees is
  $$Skew that was taken out, in degrees.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.verdict is
  $$text, blank or no_text.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.confidence is
  $$Mean confidence over the words, 0 to 100.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.text is
  $$The text; each character of a masked span, white space apart, is one █.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.words is
  $$The words that no mask touches: [text, confidence, x0, y0, x1, y1] in pixels of the page image.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.masks is
  $$What is masked: {rule, reason, start, length, boxes}; start and length count characters (code points), from 0.
@behavior -filterBy -orderBy$$;
comment on column docket_api.pages.rule_set_id is
  $$The rules that were applied: the active ones.
@behavior -filterBy -orderBy$$;
