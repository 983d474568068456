-- Recognition follows verification at once, where whoever verified a document has a slot for it.

-- It is told of which documents it may open an attempt at recognition, and answers those.
drop function if exists docket.record_verified(uuid[], integer[], uuid[], bigint[], text[], json[]);
