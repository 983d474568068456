import { DocketError } from '../errors.ts';

/** Nothing but the host can be examined then. */
const DATABASE_AWAY = /^(DATABASE_(UNAVAILABLE|TIMEOUT|EXHAUSTED|ERROR)|CLUSTER_(?!NOT_FOUND)|SERVER_)/;

/** An error of a verb that shows how things stand; where the database does not answer, with the command that says more. */
export function withoutAnswer(error: DocketError): DocketError {
  if (!DATABASE_AWAY.test(error.code)) return error;
  const next =
    'nothing is known of documents until it answers; next: docket doctor, which examines this host without it';
  return new DocketError(error.code, error.message, {
    cause: error,
    data: { ...error.data },
    hint: error.hint === undefined ? next : `${error.hint}; ${next}`,
  });
}
