-- What is to be redacted is handed out set by set.

drop index docket.redaction_todo__due_idx;
create index redaction_todo__due_idx on docket.redaction_todo (rule_set_id, due_at);

-- takes the sets too
drop function if exists docket.claim_redactions(integer, integer);
