/** A set of words in lower case that knows them as OCR may show them. */
export interface WordSet {
  has(word: string): boolean;
}

/** Titles before a name. */
export const TITLES = words(
  'mr mrs ms miss mx dr prof herr frau hr fr mme mlle m sr sra srta sig capt captain ing dhr mevr',
);
/** Small words within a name. */
export const PARTICLES = words(
  'van von der den de del della di da do dos du la le el al bin ben ibn af av zu zum zur ter ten y e',
);
/** Words that make the name of a company of what they stand in. */
export const COMPANY_WORDS = words(
  `ltd limited inc incorporated llc llp plc corp corporation co company gmbh mbh ag kg kgaa ug ohg bv nv sa sas sarl spa srl
   sro as ab oy oyj aps asa kft zrt doo sl lda ltda pty pte pvt sp zoo cooperativa cooperative group holding holdings
   logistics logistik logistique shipping freight forwarding transport transports transporte trucking haulage lines line
   cargo express courier parcel foods trading traders industries industrial manufacturing services service solutions
   warehouse warehousing terminal terminals port ports depot agency agencies international export import bank university
   supply chain papper steinzeug timber tools refrigeration coffee forge fitting steel chemicals motors bros brothers sons`,
);
/** Words of forms, which are no names wherever they stand. */
export const FORM_WORDS = words(
  `date time signature signed sign stamp name names title position tel telephone phone mobile fax email mail id no nr number
   ref reference vehicle truck trailer plate reg registration licence license passport company address contact driver
   carrier shipper consignee receiver sender agent goods received delivered by for the and of on at in to from print printed
   block capitals place port vessel voyage container seal seals page total weight gross net tare kg pieces packages remarks
   remark comments condition good order see above below same none unknown nil na tbd tba pending attached copy original
   office officer manager supervisor clerk checker checked inspector surveyor master mate chief operator department dept
   gate berth dock ramp lane shift route stop receipt note bill lading invoice order customs declaration hs code dob born
   birth nationality card account iban bic swift visa mastercard waited called refused monday tuesday wednesday thursday
   friday saturday sunday january february march april may june july august september october november december jan feb mar
   apr jun jul aug sep sept oct nov dec am pm utc hrs not applicable telefon tfno tél datum unterschrift fecha firma data
   personal national identity document release authority collection collected pickup yes box boxes carton cartons pallet
   pallets full empty damaged damage short mr mrs`,
);

function words(text: string): WordSet {
  const all = new Set(text.split(/\s+/));
  return {
    has(word) {
      const plain = word.toLowerCase().replace(/[.,:;]+$/u, '');
      return (
        all.has(plain) ||
        all.has(plain.replace(/0/g, 'o').replace(/5/g, 's').replace(/8/g, 'b').replace(/[1|!]/g, 'i'))
      );
    },
  };
}
