-- Every SQLSTATE that Docket raises. Class ZD: its first letter lies outside what the SQL standard reserves.
insert into docket.error_codes (sqlstate, name, meaning, remedy)
values
  ('ZD001', 'APPEND_ONLY', 'The table is append-only: rows are never changed, removed or truncated.', 'Record a new fact instead.'),
  ('ZD002', 'ILLEGAL_STEP', 'The event is not possible in the present state of the job.', 'Read docket.job_transitions for what is.'),
  ('ZD003', 'STATE_WITHOUT_EVENT', 'The state of a job follows from its events and cannot be set.', 'Call the command that records the event.'),
  ('ZD004', 'RESULT_EXISTS', 'The job already has this very result.', 'None: the result is there.'),
  ('ZD005', 'WRONG_ACTOR', 'The event may only be recorded by members of another role.', 'Ask a member of that role.'),
  ('ZD006', 'NOBODY_ACTS', 'The gateway has not said for whom it acts.', 'Send a token that names a subject.'),
  ('ZD010', 'NOT_YOUR_SOURCE', 'The login may not deliver for this source.', 'Ask an operator to add the login: docket source add.'),
  ('ZD011', 'HASH_LENGTH', 'A SHA-256 has 32 bytes.', 'Send the hash as 32 raw bytes, not as hex text.'),
  ('ZD012', 'CAPTURE_TIME', 'The time of capture or the date of the document lies in the future or is not one.', 'Check the clock of the scanner.'),
  ('ZD013', 'SIZE_RANGE', 'The size lies outside 0 bytes to 5 GiB.', 'State the size of the object in bytes.'),
  ('ZD014', 'LOCATOR_SHAPE', 'The locator does not name an object.', 'Use file:KEY, the path of a file below the folder of the object store.'),
  ('ZD015', 'DOCUMENT_KIND', 'The document kind is not known.', 'Use a row of docket.document_kinds.'),
  ('ZD016', 'HASH_COLLISION', 'Another hash already has this job id.', 'Report it: the hashes were made to collide.'),
  ('ZD017', 'SOURCE_DISABLED', 'The source is disabled.', 'Ask an operator to enable it.'),
  ('ZD018', 'MEDIA_TYPE_SHAPE', 'The media type is not of the form type/subtype.', 'State a media type such as image/png.'),
  ('ZD019', 'STATEMENT_TOO_LARGE', 'The signer or the envelope is malformed or too large.', 'Signer: a JSON object of at most 16 KiB. Envelope: at most 1 MiB.'),
  ('ZD020', 'UNKNOWN_JOB', 'There is no such job.', 'Check the job id.'),
  ('ZD021', 'REASON_MISSING', 'The act needs a reason.', 'Say why, in words.'),
  ('ZD022', 'UNKNOWN_CODE', 'The failure code is not known.', 'Use a row of docket.failure_codes.'),
  ('ZD023', 'UNKNOWN_SOURCE', 'There is no such source.', 'Add it first: docket.add_source.'),
  ('ZD024', 'UNKNOWN_LOGIN', 'There is no such login, or it is not a member of the group that the act is for.', 'Create it: create role NAME login in role docket_app, or docket_analyst for a reader.'),
  ('ZD025', 'SOURCE_NAME', 'The name of a source is lower-case letters, digits, dot, dash and underscore.', 'Choose a name such as carrier-a.'),
  ('ZD040', 'LEASE_ENDED', 'The lease of the worker has ended.', 'Stop all work and open a new lease.'),
  ('ZD041', 'MALFORMED_RESULT', 'The result is not of the documented shape.', 'See docs/audit-log.md.'),
  ('ZD050', 'MIGRATION_EDITED', 'A migration was edited after it was applied.', 'Restore the file and write a new migration.'),
  ('ZD060', 'RULE_SET_NAME', 'The name already means other redaction rules.', 'Give changed rules a new name.')
on conflict (sqlstate) do update set
  name = excluded.name,
  meaning = excluded.meaning,
  remedy = excluded.remedy;
