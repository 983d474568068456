-- What senders delivered, and what they were told of it last.
-- Called by: senders. The rows are those of docket.submissions; a receipt is of the source that delivered.
create or replace view docket.my_submissions
with (security_barrier)
as
select
  s.*,
  r.outcome,
  r.code,
  f.meaning,
  f.remedy,
  docket.jws_part(r.jws, 2) ->> 'statement' as statement,
  r.jws as receipt,
  r.issued_at,
  case when s.state = 'accepted' then docket.waits_for(s.job_id) end as waits_for,
  case when s.state = 'accepted' then docket.expected_admission(s.job_id) end as expected_at
from docket.submissions s
left join lateral (
  select * from docket.receipts r where r.delivery_id = s.delivery_id order by r.receipt_no desc limit 1
) as r on true
left join docket.failure_codes f on f.code = r.code;
comment on view docket.my_submissions is
  'Deliveries of the sources of the login, each with the newest receipt. For reading; deliver by docket.submissions.';
comment on column docket.my_submissions.outcome is
  'PEND: the hash is claimed, the bytes were not seen; RECE: they were; DUPE: another delivery of the source had brought them; BENV: the packet is refused; BSIG: its signature is. Null in the first second.';
comment on column docket.my_submissions.code is 'Failure code, where something failed.';
comment on column docket.my_submissions.meaning is 'What it means.';
comment on column docket.my_submissions.remedy is 'What to do about it.';
comment on column docket.my_submissions.statement is 'What is signed of the document, as the receipt says.';
comment on column docket.my_submissions.receipt is 'The receipt: a compact JWS. Keep it.';
comment on column docket.my_submissions.issued_at is 'When it was issued.';
comment on column docket.my_submissions.waits_for is
  'What it waits for, while it waits for admission; else null. This and the next count what goes before it: ask for them by name.';
comment on column docket.my_submissions.expected_at is
  'When it may be admitted, while it waits; null where that cannot be said, as while admission is closed.';
