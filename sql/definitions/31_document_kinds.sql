-- Kinds of documents and their gates. Operators may add kinds; the rows here are only ever added, never overwritten.
insert into docket.document_kinds
  (document_kind, min_pages, max_pages, min_characters, min_confidence, required_patterns, lane, meaning)
values
  ('unknown', 1, 100000, 1, 40, '{}', 'standard', 'Kind not stated by the sender.'),
  ('bill_of_lading', 1, 50, 200, 60, '{lading}', 'standard', 'Bill of lading.'),
  ('cmr_note', 1, 20, 100, 60, '{}', 'standard', 'Consignment note of road transport (CMR).'),
  ('delivery_receipt', 1, 10, 40, 55, '{}', 'signature_critical', 'Delivery receipt or proof of delivery.'),
  ('customs_declaration', 1, 200, 200, 60, '{}', 'standard', 'Customs declaration.'),
  ('exception_sheet', 1, 20, 60, 60, '{}', 'signature_critical', 'Signed sheet of exceptions: damage, shortage, seals.'),
  ('packing_list', 1, 200, 60, 60, '{}', 'standard', 'Packing list.'),
  ('weighbridge_ticket', 1, 10, 30, 55, '{}', 'standard', 'Weighbridge ticket.'),
  ('arrival_notice', 1, 50, 60, 60, '{}', 'standard', 'Notice of arrival.'),
  ('shipment_file', 1, 1000, 100, 55, '{}', 'standard', 'Papers of one shipment in one file.'),
  ('terms', 1, 50, 500, 60, '{}', 'standard', 'Terms and conditions of carriage.')
on conflict (document_kind) do nothing;
