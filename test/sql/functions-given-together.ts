// Functions that are only ever granted together, for the matrix of functions.

/** The Merkle log, and proofs about it. */
export const TREE = [
  'agreed_size',
  'consistency_proof',
  'inclusion_proof',
  'leaf_index',
  'seal_status',
  'tree_root',
];

/** Merkle trees as such: nothing of the log. */
export const MERKLE = [
  'is_consistent',
  'is_included',
  'merkle_ancestors',
  'merkle_append',
  'merkle_bag',
  'merkle_parents',
  'merkle_root',
];

/** What reads and verifies checkpoints: pure functions. */
export const NOTES = ['ed25519_verify', 'is_note_signed_by', 'key_id', 'read_note'];

/** What a search is made of; each part checks the caller by itself. */
export const SEARCHED = ['search_pages', 'show_page'];

/** Text with nothing masked, originals and bundles: each reading is an event. */
export const READING = ['bundle_of', 'covering_checkpoint', 'note_reading', 'read_original', 'read_text'];
