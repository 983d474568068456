/** What can be noticed at a signature beside its status, and what it means in words for people. In order of the alphabet. */
export const FINDINGS = {
  ALGORITHM_NOT_PROTECTED: 'The name of the algorithm is no part of what was signed.',
  ALGORITHM_SUBSTITUTED: 'The algorithms beside the signature are not those that its signer named.',
  ALGORITHM_UNKNOWN: 'The algorithm of the signature is not known here.',
  ALGORITHM_WEAK:
    'The algorithm of the signature proves nothing: anybody, or whoever checks it, could have made it.',
  ATTRIBUTE_MISSING: 'The signed attributes lack one that they must have.',
  BASE64_INVALID: 'A part that has to be Base64 is not.',
  BYTE_RANGE_INVALID: 'The file does not say properly over which of its bytes the signature was made.',
  BYTE_RANGE_LEAVES_OUT_MORE:
    'The signature leaves out more of the file than its own place, so that anything could stand there.',
  BYTE_RANGE_OUTSIDE: 'The signature claims to be made over bytes that the file does not have.',
  CERTIFICATE_FOR_OTHER_USE: 'The certificate of the signer was not issued for this use.',
  CERTIFICATE_INVALID: 'A certificate in the envelope cannot be read.',
  CERTIFICATE_MISSING: 'The certificate of the signer is neither in the envelope nor among the trusted ones.',
  CERTIFICATE_REVOKED: 'The certificate of the signer is on a list of revoked ones.',
  CERTIFICATE_SUBSTITUTED: 'The signature names another certificate than the one that lies beside it.',
  CERTIFICATE_WEAK:
    'A certificate bears a signature by an algorithm or a key that proves nothing, so that it leads nowhere.',
  CONTENT_ALTERED: 'The content in the envelope is not what was signed.',
  CONTENT_ENCLOSED:
    'The signature holds a content of its own, where it has to be made over the bytes around it.',
  CONTENT_NOT_THE_DOCUMENT: 'What was signed are other bytes than those of the document.',
  CONTENT_TOO_LARGE: 'The algorithm needs all bytes at once, and the document has too many of them.',
  CONTENT_TYPE_WRONG: 'The signer signed another kind of content than the envelope says.',
  CRITICAL_EXTENSION_UNKNOWN: 'A certificate demands that something be understood which is not known here.',
  CRITICAL_HEADER_UNKNOWN: 'The signature demands that something be understood which is not known here.',
  FIELD_INVALID: 'A field of the envelope is missing, or not of its kind.',
  FORMAT_UNKNOWN: 'The envelope is of no known format.',
  ISSUER_NO_AUTHORITY: 'A certificate was issued by somebody who may issue none, or none at this place.',
  ISSUER_REVOKED: 'The certificate of an issuer is on a list of revoked ones.',
  JSON_INVALID: 'The envelope is no JSON object, or one that can be read in two ways.',
  KEY_INVALID: 'The key in the envelope cannot be read.',
  KEY_SHORT: 'The key of the signer is too short.',
  KEY_UNKNOWN: 'The envelope holds no key of the signer, and no trusted key could have made the signature.',
  NO_KEY_FITS:
    'The signature fits none of the keys that are trusted for the source: it was altered, or somebody else made it.',
  NO_SIGNATURES: 'There is no signature in the envelope.',
  PDF_CONTENTS_EMPTY:
    'The place for the signature is empty: the document was made ready to be signed, and was not.',
  PDF_CONTENTS_INVALID: 'The file does not hold the signature in the way that the format demands.',
  PDF_FIELDS_SEVERAL: 'Several fields of the form have the same signature.',
  PDF_FIELD_MISSING: 'The signature belongs to no field of the form any more.',
  PDF_FORM_UNREADABLE: 'The form, to one field of which a signature belongs, cannot be read.',
  PDF_PADDING_USED: 'Something stands in the place of the signature behind it.',
  PDF_PERMISSION_EXCEEDED: 'More was changed after signing than the signer allowed.',
  PDF_SIGNATURE_FLAG_MISSING: 'The form does not say that there are signatures.',
  PDF_SIGNATURE_HIDDEN: 'The signature stands in the file, but is no part of the document any more.',
  PDF_TOO_LARGE: 'The file is too large for the memory that checking signatures may use.',
  PDF_UNREADABLE:
    'The structure of the file can be read in more than one way, so nobody can tell what came after signing.',
  REVOCATION_NOT_KNOWN: 'No list of revoked certificates in force at the time tells of a certificate.',
  REVOKED_AFTER_SIGNING: 'A certificate was revoked later than a trusted time-stamp says it was signed.',
  SIGNATURES_TOO_MANY: 'There are more signatures than are checked.',
  SIGNATURE_BROKEN: 'The signature does not fit what it was made over.',
  SIGNED_ATTRIBUTES_MISSING:
    'The content is signed without attributes, so that nothing says when, or with which certificate.',
  SIGNED_OBJECTS_UNKNOWN: 'It was made over objects that are named in a way which is not known here.',
  SIGNERS_SEVERAL: 'Several signers stand in one signature, where the format has one.',
  STRUCTURE_INVALID: 'The bytes are not what the format demands, or break off.',
  TIMESTAMP_BROKEN: 'A time-stamp over the signature does not fit it, or cannot be read; it was not counted.',
  TIMESTAMP_REFUSED: 'The authority answered that it gives no time-stamp.',
  TIMESTAMP_UNTRUSTED:
    'A time-stamp over the signature leads to no anchor for time-stamps that was valid; it was not counted.',
  UNSIGNED_PROPERTIES_NOT_CHECKED:
    'Something was added beside the signature later, such as revocation data or archive time-stamps, that is not checked.',
} as const;

export type Finding = keyof typeof FINDINGS;
