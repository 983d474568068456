-- What each version of the redaction rules looks for; the patterns themselves are not for analysts. A view with the rights of the
-- reader would ask for all of its columns, so this one has those of its owner: its rows are for everybody.
create or replace view docket_api.redaction_rules
as
select
  r.rule_set_id,
  r.rule,
  r.reason,
  r.document_kind,
  r.meaning,
  r.pattern,
  r.validator,
  r.region
from docket.redaction_rules r;
comment on view docket_api.redaction_rules is
  $$What each version of the redaction rules looks for.
@primaryKey rule_set_id,rule
@foreignKey (rule_set_id) references rule_sets (rule_set_id)|@fieldName ruleSet|@foreignFieldName rules$$;
comment on column docket_api.redaction_rules.rule_set_id is 'The version.';
comment on column docket_api.redaction_rules.rule is 'Name of the rule; masks cite it.';
comment on column docket_api.redaction_rules.reason is
  $$Kind of data it masks.
@behavior -filterBy -orderBy$$;
comment on column docket_api.redaction_rules.document_kind is
  $$Kind of document it is for; null for all.
@behavior -filterBy -orderBy$$;
comment on column docket_api.redaction_rules.meaning is
  $$What it finds.
@behavior -filterBy -orderBy$$;
comment on column docket_api.redaction_rules.pattern is
  $$Regular expression; its group "value", where it has one, is what is masked. Not for analysts.
@behavior -filterBy -orderBy$$;
comment on column docket_api.redaction_rules.validator is
  $$Check that a match must pass. Not for analysts.
@behavior -filterBy -orderBy$$;
comment on column docket_api.redaction_rules.region is
  $$Box that is masked, in parts of the upright page: x0, y0, x1, y1. Not for analysts.
@behavior -filterBy -orderBy$$;
