-- Why work on a document can fail. A code, once used, is never renamed.
-- What is wrong with the surroundings and not with the document has more tries: an outage of some minutes passes.
insert into docket.failure_codes
  (code, is_retryable, base_delay, longest_delay, max_tries, meaning, remedy)
values
  ('OBJECT_NOT_FOUND', true, '2 s', '1 min', 3, 'No object was found where the sender said it is.', 'Store the object, then deliver again with the right locator.'),
  ('STORE_UNAVAILABLE', true, '1 s', '5 min', 12, 'The object store did not answer or failed.', 'Check the object store; the job is tried again.'),
  ('STORE_TIMEOUT', true, '1 s', '5 min', 12, 'The object store answered too slowly.', 'Check the object store; the job is tried again.'),
  ('STORE_DENIED', true, '5 s', '5 min', 8, 'The object store refused access.', 'Grant the worker access to the object; then release the job, if it was not tried again.'),
  ('LOCATOR_INVALID', false, '0', '0', 1, 'The locator does not name an object of a configured store.', 'Deliver again with a locator of the configured store.'),
  ('LOCATOR_TAKEN', false, '0', '0', 1, 'Another source was first to name this place, so it shows nothing of this one.', 'Store a copy at a place of your own, and deliver that.'),
  ('KEY_MISSING', false, '0', '0', 1, 'The object is said to be sealed by Docket, but no key of it is known.', 'Put the scan by PUT /objects or docket submit; or state its encryption as external or none.'),
  ('KEY_WRONG', true, '5 s', '5 min', 8, 'The key of the object cannot be unwrapped by the keys that the worker has.', 'Give the worker the right key file or recovery key; then release the job, if it was not tried again.'),
  ('KEY_UNAVAILABLE', true, '1 s', '5 min', 12, 'The service that keeps the key-encryption key did not answer, or let nobody use it.', 'Check the key service; the job is tried again.'),
  ('OBJECT_DAMAGED', false, '0', '0', 1, 'The sealed object was altered, cut short, or is another than the one that was sealed.', 'Restore the object from a copy, then release the job.'),
  ('OBJECT_SWAPPED', false, '0', '0', 1, 'The sealed object is intact, but was sealed for another scan, source or purpose.', 'Find out who moved it; restore the object from a copy, then release the job.'),
  ('REFERENCE_FORGED', false, '0', '0', 1, 'A message of the queue bore a reference that Docket did not sign, or signed for another use.', 'Find out who writes to the queue.'),
  ('REFERENCE_EXPIRED', false, '0', '0', 1, 'A message of the queue bore a reference that had expired; a new one was issued if the job was due.', 'None.'),
  ('REFERENCE_REPLAYED', false, '0', '0', 1, 'A message of the queue bore a reference that had been used.', 'Find out who copies messages of the queue.'),
  ('SIZE_MISMATCH', false, '0', '0', 1, 'The object has another size than the delivery states.', 'Deliver again with the true size and hash.'),
  ('HASH_MISMATCH', false, '0', '0', 1, 'The bytes of the object do not have the stated SHA-256.', 'Find out which bytes were signed, and deliver those again.'),
  ('EMPTY_OBJECT', false, '0', '0', 1, 'The object holds no bytes.', 'Scan again.'),
  ('UNKNOWN_FORMAT', false, '0', '0', 1, 'The bytes are of no format that is known.', 'Deliver PNG, JPEG, TIFF or PDF.'),
  ('UNSUPPORTED_FORMAT', false, '0', '0', 1, 'The format is known, but not one that is read.', 'Deliver PNG, JPEG, TIFF or PDF.'),
  ('UNSUPPORTED_CODEC', false, '0', '0', 1, 'The file is compressed or coded in a way that is not read.', 'Deliver the scan with a common compression.'),
  ('TRUNCATED', false, '0', '0', 1, 'The file ends before its content does.', 'Send the whole file again.'),
  ('CORRUPT', false, '0', '0', 1, 'The file is damaged.', 'Scan again, or send an undamaged copy.'),
  ('ENCRYPTED', false, '0', '0', 1, 'The file can only be opened with a password.', 'Deliver the scan without a password.'),
  ('NO_PAGES', false, '0', '0', 1, 'The file has no pages.', 'Scan again.'),
  ('TOO_MANY_PAGES', false, '0', '0', 1, 'The file has more pages than the limit.', 'Split the file, or raise the limit and release the job.'),
  ('TOO_MANY_PIXELS', false, '0', '0', 1, 'A page has more pixels than the limit.', 'Scan at a lower resolution, or raise the limit and release the job.'),
  ('DECODER_WARNING', false, '0', '0', 1, 'The decoder doubts that the page images are complete.', 'Look at the scan; scan again.'),
  ('PAGE_COUNT_MISMATCH', false, '0', '0', 1, 'Fewer pages were read than the file declares.', 'Look at the scan; send an undamaged copy.'),
  ('OCR_TIMEOUT', true, '5 s', '5 min', 4, 'Recognition did not end before its deadline.', 'Check the load of the workers; the job is tried again.'),
  ('OCR_CRASHED', true, '2 s', '1 min', 2, 'The recognition process died on this document.', 'Keep the file for a report; release the job after an upgrade of the engine.'),
  ('OCR_OUT_OF_MEMORY', true, '5 s', '1 min', 2, 'Recognition needed more memory than the limit.', 'Scan at a lower resolution, or raise the limit and release the job.'),
  ('OCR_UNAVAILABLE', true, '1 s', '5 min', 12, 'The recognition process cannot be started.', 'See the log of the worker, and docket doctor on its host; the job is tried again.'),
  ('OCR_ENGINE_FAILED', true, '2 s', '1 min', 4, 'The engine reported an error.', 'See the message of the attempt; the job is tried again.'),
  ('TEMP_STORAGE_FAILED', true, '5 s', '5 min', 12, 'The worker could not write its temporary file.', 'Free disk space on the worker.'),
  ('VALIDATION_REJECTED', false, '0', '0', 1, 'The text does not pass the gates of its document kind.', 'Look at the reasons in the event; scan again, or change the gates and release the job.'),
  ('CORRUPT_ENVELOPE', false, '0', '0', 1, 'The signature envelope cannot be read.', 'Deliver again with an intact envelope.'),
  ('SIGNATURE_INVALID', false, '0', '0', 1, 'A signature does not fit the document: one of them was altered, or it signs other bytes.', 'Find out which bytes were signed, and deliver those with their signature.'),
  ('SIGNATURE_MISSING', false, '0', '0', 1, 'The document has no signature, and documents of its source and kind need one.', 'Deliver the same scan again with a signature envelope.'),
  ('SIGNATURE_PARTIAL', false, '0', '0', 1, 'The signature is valid, but not over the whole document: some of it was left out, or was changed afterwards.', 'Have the whole document signed, and deliver that.'),
  ('SIGNATURE_WEAK', false, '0', '0', 1, 'The signature uses an algorithm that proves nothing any more, or never did.', 'Have it signed with an algorithm of docs/signatures.md.'),
  ('SIGNATURE_UNSUPPORTED', false, '0', '0', 1, 'The signature uses an algorithm that cannot be checked here.', 'Have it signed with an algorithm of docs/signatures.md.'),
  ('SIGNER_UNKNOWN', false, '0', '0', 1, 'The signature leads to no trust anchor of the source.', 'Add the key or certificate of the signer: docket trust add; then release the job.'),
  ('SIGNER_EXPIRED', false, '0', '0', 1, 'The certificate or key of the signer was not valid when it counts.', 'Have it signed with a valid certificate, or add a trust anchor with the right validity.'),
  ('SIGNER_REVOKED', false, '0', '0', 1, 'The certificate of the signer had been revoked.', 'Ask who signed; deliver again with a valid signature.'),
  ('SIGNERS_TOO_FEW', false, '0', '0', 1, 'It has valid signatures of fewer signers than documents of its source and kind need.', 'Deliver the same scan again with the missing signatures.'),
  ('CHECK_TIMEOUT', true, '5 s', '1 min', 3, 'The signatures in the file could not be checked in time.', 'Check the load of the workers; the job is tried again.'),
  ('CHECK_CRASHED', true, '2 s', '1 min', 2, 'The process that looks for signatures in the file died on it.', 'Keep the file for a report; release the job after an upgrade.'),
  ('WORKER_LOST', true, '0', '0', 5, 'The worker died or overran its deadline.', 'None; the job runs elsewhere.'),
  ('WORKER_KILLED', true, '0', '0', 2, 'The worker died while it recognised this document and no other.', 'None; the job runs elsewhere.'),
  ('WORKER_STOPPING', true, '0', '0', 1000, 'The worker was told to stop before the work was done.', 'None; the job runs elsewhere.'),
  ('OCR_VERSION_WITHDRAWN', true, '0', '0', 1000, 'The OCR configuration was rolled back while it was being read by it.', 'None; it is read by the restored configuration.'),
  ('INTERNAL_ERROR', true, '5 s', '5 min', 4, 'Docket failed in a way that was not foreseen.', 'See the message of the attempt, and report it.'),
  ('RETRY_EXHAUSTED', false, '0', '0', 1, 'A failure that can pass came too often; the event names the original code.', 'Remove the cause of the original code, then release the job.'),
  ('CRASH_LOOP', false, '0', '0', 1, 'Recognising this document killed its worker twice, or five workers were lost while they worked on it.', 'Keep the file for a report; look at the logs of the workers.')
on conflict (code) do update set
  is_retryable = excluded.is_retryable,
  base_delay = excluded.base_delay,
  longest_delay = excluded.longest_delay,
  max_tries = excluded.max_tries,
  meaning = excluded.meaning,
  remedy = excluded.remedy;

-- What is wrong with the packet, and what with its signature. A fault of neither leaves a receipt as it was.
update docket.failure_codes
set receipt_outcome = case
  when code in (
    'OBJECT_NOT_FOUND', 'LOCATOR_INVALID', 'LOCATOR_TAKEN', 'KEY_MISSING', 'OBJECT_SWAPPED', 'SIZE_MISMATCH', 'HASH_MISMATCH',
    'EMPTY_OBJECT', 'UNKNOWN_FORMAT', 'UNSUPPORTED_FORMAT', 'CORRUPT_ENVELOPE'
  ) then 'BENV'
  when code like 'SIGNATURE%' or code like 'SIGNER%' then 'BSIG'
end;

-- What is down where it comes often, and of how many documents; what must have worked before; and what says nothing of the document,
-- so that an operator may send it back. A refusal, an engine that fails and a lack of room may be the fault of one document: there several
-- must agree.
update docket.failure_codes
set dependency = case
    when code in ('STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_DENIED') then 'store'
    when code in ('KEY_UNAVAILABLE', 'KEY_WRONG') then 'keys'
    when code in ('OCR_UNAVAILABLE', 'OCR_ENGINE_FAILED') then 'engine'
    when code = 'TEMP_STORAGE_FAILED' then 'disk'
  end,
  outage_documents = case
    when code in ('STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'KEY_UNAVAILABLE', 'OCR_UNAVAILABLE') then 1
    when code in ('STORE_DENIED', 'KEY_WRONG', 'OCR_ENGINE_FAILED', 'TEMP_STORAGE_FAILED') then 3
  end,
  answered = case
    when code in (
      'OBJECT_NOT_FOUND', 'OBJECT_SWAPPED', 'SIZE_MISMATCH', 'HASH_MISMATCH', 'EMPTY_OBJECT', 'UNKNOWN_FORMAT', 'UNSUPPORTED_FORMAT',
      'KEY_WRONG', 'KEY_UNAVAILABLE', 'OCR_UNAVAILABLE', 'OCR_ENGINE_FAILED'
    ) then array['store']
    when code in (
      'UNSUPPORTED_CODEC', 'TRUNCATED', 'CORRUPT', 'ENCRYPTED', 'NO_PAGES', 'TOO_MANY_PAGES', 'TOO_MANY_PIXELS', 'DECODER_WARNING',
      'PAGE_COUNT_MISMATCH', 'OCR_CRASHED', 'OCR_OUT_OF_MEMORY'
    ) then array['store', 'engine']
    else '{}'
  end,
  is_transport = code in (
    'STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_DENIED', 'KEY_UNAVAILABLE', 'KEY_WRONG', 'TEMP_STORAGE_FAILED', 'OCR_UNAVAILABLE',
    'OCR_ENGINE_FAILED', 'OCR_TIMEOUT', 'CHECK_TIMEOUT', 'WORKER_LOST', 'WORKER_STOPPING', 'OCR_VERSION_WITHDRAWN',
    'INTERNAL_ERROR'
  );
