-- How long documents are kept unless an evidence owner makes another rule: docket.set_retention. The rows here are only ever added.
-- A kind without a row is kept as long: see docket.retain_until.
insert into docket.retention_rules (document_kind, since, retention, reason, set_by)
select k.document_kind, '-infinity', interval '10 years', 'Kept for ten years until a rule is made for the kind.', 'docket'
from docket.document_kinds k
on conflict (document_kind, since) do nothing;
