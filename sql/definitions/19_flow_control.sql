-- The pools that work is shared in, and what the work depends on. Limits and states are never overwritten.
insert into docket.pool_limits (pool, meaning)
values
  ('io', 'Reads scans and hashes them; publishes.'),
  ('ocr', 'Recognises documents of any lane.'),
  ('ocr_reserved', 'Recognises documents of reserved lanes alone.'),
  ('audit', 'Replays published documents.')
on conflict (pool) do update set meaning = excluded.meaning;

insert into docket.dependencies (dependency, meaning)
values
  ('store', 'The object store.'),
  ('keys', 'The service that keeps the key-encryption key.'),
  ('engine', 'The engine that recognises text.'),
  ('disk', 'The folder for temporary files.')
on conflict (dependency) do update set meaning = excluded.meaning;
