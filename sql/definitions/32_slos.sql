-- Objectives to begin with. They are promises: change them to yours by docket.set_slo. Rows that are there are never overwritten.
-- Ages in seconds. Papers that somebody signed wait a fifth as long as others. A rollback is for what an OCR configuration can bring about:
-- that it reads in vain, or so slowly that what waits grows old.
insert into docket.slos (slo, measure, lane, span, warning, breach, rollback, meaning)
values
  -- admission takes a tenth of a second; whoever waits for minutes waits for slots
  ('undeferred_signature_critical', 'undeferred', 'signature_critical', null, 60, 300, 1800,
    'Signed papers do not wait for admission unless something holds them on purpose.'),
  ('undeferred_standard', 'undeferred', 'standard', null, 300, 900, 3600,
    'Documents do not wait for admission unless something holds them on purpose.'),
  -- the longest time to a retry is five minutes
  ('admitted', 'admitted', null, null, 600, 1800, null, 'What is due is begun, also what is tried again.'),
  ('running', 'running', null, null, 900, 1800, null, 'Attempts end.'),
  -- it is published by whoever recognised it, at once
  ('unpublished', 'unpublished', null, null, 60, 120, null, 'What was recognised is published.'),
  -- every second; an open transaction may be in the way for its half minute
  ('unsealed', 'unsealed', null, null, 60, 300, null, 'Events become leaves of the log.'),
  ('untold', 'untold', null, null, 300, 900, null, 'Senders are told.'),
  -- of good scans one or two of a hundred are quarantined; half of them is no bad scanner
  ('quarantined_share', 'quarantined_share', null, '10 minutes', 0.1, 0.25, 0.5, 'What is read passes its gates.'),
  ('whole_signature_critical', 'whole_p95', 'signature_critical', '10 minutes', 600, 1800, null,
    'Signed papers are published soon after they were delivered.'),
  ('whole_standard', 'whole_p95', 'standard', '10 minutes', 3600, 14400, null,
    'Documents are published soon after they were delivered.')
on conflict (slo) do nothing;
