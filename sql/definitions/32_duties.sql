-- Work that one process at a time does. The row is the lock: senders can take advisory locks, but not these.
insert into docket.duties (duty, meaning)
values
  ('admit', 'Notices arrivals and admits jobs.'),
  ('reap', 'Ends leases and attempts whose owner is gone.'),
  ('reconcile', 'Wakes jobs that the queue forgot.'),
  ('announce', 'Tells listeners that something changed.'),
  ('retain', 'Asks for the disposal of documents whose retention is over.'),
  ('search', 'Keeps the search index up to date.'),
  ('receipts', 'Hands out what senders are to be told.'),
  ('seal', 'Makes events the leaves of the Merkle log.'),
  ('checkpoint', 'Has checkpoints of the log signed and kept outside.'),
  ('replay', 'Starts the daily replay, and hands out what is replayed.'),
  ('log', 'Records events of the log itself, one after the other.'),
  ('slots', 'Shares the slots of pools among processes.'),
  ('expire', 'Undoes changes that were made for a time.'),
  ('ages', 'Counts sealed events, and how long documents took.'),
  ('watch', 'Looks whether something is wrong, and opens and closes alerts.'),
  ('rollback', 'Takes a rollback of the OCR configuration from step to step.')
on conflict (duty) do update set meaning = excluded.meaning;
