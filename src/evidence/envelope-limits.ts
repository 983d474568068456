/** More signatures than these in one envelope are not looked at: each may cost a reading of the document. */
export const MOST_SIGNATURES = 20;

/** Text of the sender that is kept as a detail of a report is cut here. */
export const LONGEST_DETAIL = 200;
