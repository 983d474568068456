-- The built-in redaction rules. A name, once released, always means the same rules: rules that change get a new name, which is
-- staged beside the old one at the upgrade; the first one of an installation is active at once. Errors: ZD060 they changed.
do $seed$
declare
  v_name constant text := 'docket-1';
  v_rule_set_id integer;
  v_is_new boolean := false;
  v_rule record;
  v_rules integer := 0;
begin
  select s.rule_set_id into v_rule_set_id from docket.rule_sets s where s.name = v_name;
  if not found then
    v_is_new := true;
    insert into docket.rule_sets (name, meaning, recall, staged_by)
    values (
      v_name,
      'Personal data on logistics papers in European and American layouts.',
      '{
        "address": {"planted": 434, "found": 410},
        "labelled_name": {"planted": 411, "found": 410},
        "phone": {"planted": 299, "found": 299},
        "email": {"planted": 192, "found": 192},
        "printed_name": {"planted": 250, "found": 250},
        "driving_licence": {"planted": 100, "found": 100},
        "passport": {"planted": 100, "found": 100},
        "national_id": {"planted": 100, "found": 97},
        "birth_date": {"planted": 68, "found": 67},
        "iban": {"planted": 100, "found": 100},
        "card": {"planted": 100, "found": 100}
      }',
      session_user
    )
    returning rule_set_id into v_rule_set_id;
  end if;

  for v_rule in
    select *
    from (values
      (
        'name_after_label', 'name', null::text, 'person'::text, null::real[],
        'What follows driver, contact, attention, surveyor and the like on its line, where it is the name of a person.',
        $re$(?<![\p{L}\d])(?:«driver's name|driver name|drivers name|name of driver|name of the driver|driver|contact person|contact name|consignee contact|shipper contact|contact|attention|person in charge|declarant|surveyor|checker|witness|representative|fahrer|fahrername|ansprechpartner|kontaktperson|kontakt|zu händen|chauffeur|conductor|autista|kierowca|bestuurder»|attn|fao)(?:'?s)?(?![\p{L}\d])(?:[ ]?\([^()\n]{0,30}\))?[ \t:;,.\-–_…#°)]{1,40}(?<value>[^\n]{2,70}(?:\n{1,2}[^\n]{2,40})?)$re$
      ),
      (
        'name_below_label', 'name', null, 'full_person', null,
        'What stands on the line below driver, contact, attention and the like, where it is the name of a person.',
        $re$(?<![\p{L}\d])(?:«driver's name|driver name|drivers name|name of driver|name of the driver|driver|contact person|contact name|consignee contact|shipper contact|contact|attention|person in charge|declarant|surveyor|checker|witness|representative|fahrer|fahrername|ansprechpartner|kontaktperson|kontakt|zu händen|chauffeur|conductor|autista|kierowca|bestuurder»|attn|fao)(?:'?s)?(?![\p{L}\d])(?:[ ]?\([^()\n]{0,30}\))?[ \t:;,.\-–_…#°)]{0,40}\n{1,2}[ \t_.]*(?<value>[^\n]{2,70}(?:\n{1,2}[^\n]{2,40})?)$re$
      ),
      (
        'name_after_deed', 'name', null, 'full_person', null,
        'Who received, signed, delivered, checked or issued, where it is the name of a person.',
        $re$(?<![\p{L}\d])«received by|signed by|delivered by|collected by|picked up by|handed to|handed over to|loaded by|unloaded by|checked by|weighed by|prepared by|issued by|approved by|authorised by|authorized by|inspected by|witnessed by|accepted by|released by|tallied by|received from|empfangen von|geladen von|geprüft von|reçu par|recibido por|ricevuto da|ontvangen door|odebrał»(?![\p{L}\d])(?:[ ]?\([^()\n]{0,30}\))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[^\n]{2,70}(?:\n{1,2}[^\n]{2,40})?)$re$
      ),
      (
        'name_in_print', 'name', null, 'person', null,
        'Names in print, as forms ask for them beside a signature.',
        $re$(?<![\p{L}\d])«printed name|print name|name in print|name printed|name in block capitals|name in capitals|block capitals|full name|name in druckbuchstaben|nom et prénom|nombre y apellidos»(?![\p{L}\d])(?:[ ]?\([^()\n]{0,30}\))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[^\n]{2,70}(?:\n{1,2}[^\n]{2,40})?)$re$
      ),
      (
        'name_after_name', 'name', null, 'person', null,
        'What follows the word name and a colon.',
        $re$(?<![\p{L}\d]|vessel |ship |company |product |file |trade |brand |carrier |goods |port |bank |shipper |consignee |customer |terminal )«name|surname|first name|last name|nachname|vorname|nom|nombre»[ ]?(?:\([^()\n]{0,30}\))?[ ]?[:.][ \t_.]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[^\n]{2,70}(?:\n{1,2}[^\n]{2,40})?)$re$
      ),
      (
        'name_after_title', 'name', null, 'full_person', null,
        'Names after a title such as Mr or Frau.',
        $re$(?<![\p{L}\d])(?<value>(?:mr|mrs|ms|dr|mme|mlle|herr|frau|capt|captain|señor|señora|sig|dhr|mevr|m5)\.?[ \n][^\n]{2,60}(?:\n[^\n]{2,40})?)$re$
      ),
      (
        'name_after_signature', 'name', null, 'people', null,
        'Names on the line below the word signature.',
        $re$«signature|signed|unterschrift|handtekening|firma del|underskrift»[^\n]{0,60}\n{1,2}(?<value>[^\n]{2,120}(?:\n[^\n]{2,40})?)$re$
      ),
      (
        'name_beside_signature', 'name', null, 'people', null,
        'Names on the line of the word signature.',
        $re$«signature|signed|unterschrift|handtekening»(?:[ ]of[ ][^\n:]{1,40})?[ \t:;._…\-–/]{1,40}(?<value>[^\n]{2,90}(?:\n[^\n]{2,40})?)$re$
      ),
      (
        'name_above_signature', 'name', null, 'people', null,
        'Names on the line above the word signature.',
        $re$(?<=^|\n)(?<value>[^\n]{2,60}(?:\n[^\n]{2,40})?)\n{1,2}[ _(]{0,30}«signature|unterschrift|handtekening»$re$
      ),
      (
        'phone_after_label', 'phone', null, 'phone', null,
        'Telephone numbers after a label.',
        $re$(?<![\p{L}\d])«telephone|telefon|telefax|phone|tel|mobile|mobil|mob|cellphone|cell|fax|gsm|handy|whatsapp|hotline»(?![\p{L}\d])(?:[ ]?\(?«number|num|nr|no|n°|nº|#»\)?(?![\p{L}\d]))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[+(]{0,2}«9»(?:[ ()/.\-–]{0,3}(?:\n[ (]{0,2})?«9»){5,15})(?![\p{L}\d])$re$
      ),
      (
        'phone_international', 'phone', null, 'phone', null,
        'Telephone numbers with a country code.',
        $re$(?<![\p{L}\d+./-])(?<value>(?:\+|[0o]{2}[ ]?(?=«9»{1,3}[ (/\n-]))[ ]?\(?«9»(?:[ ()/.\-–]{0,3}(?:\n[ (]{0,2})?«9»){6,14})(?![\p{L}\d])$re$
      ),
      (
        'phone_american', 'phone', null, 'phone', null,
        'Telephone numbers of North America: area code, exchange, number.',
        $re$(?<![\p{L}\d./-])(?<value>\(?«9»{3}(?:\)[ ]?\n?|[ .\-]\n?)«9»{3}[ .\-]\n?«9»{4})(?![\p{L}\d./-])$re$
      ),
      (
        'phone_with_trunk', 'phone', null, 'phone', null,
        'Telephone numbers with an area code that begins with 0 and is set apart.',
        $re$(?<![\p{L}\d./,-])(?<value>[(]?[0O]«9»{2,4}\)?[ ]?[/-][ ]?\n?«9»{3,8}(?:[ -]?\n?«9»{2,4}){0,2}|[0O]«9»{2,4}[ \n]«9»{3,4}[ \n]«9»{3,4})(?![\p{L}\d./-])$re$
      ),
      (
        'email', 'email', null, null, null,
        'E-mail addresses, also with a damaged at sign.',
        $re$(?<![\p{L}\d._%+-])(?<value>[\p{L}\d._%+|-]+(?:[._-]\n[\p{L}\d._%+|-]+)?[ ]?\n?(?:@|©|®|\((?:at|a)\)|\[at\])[ ]?\n?[\p{L}\d|-]+(?:[-]\n[\p{L}\d|-]+)?(?:(?:\.\n?|[ ]\.[ ]?|,(?=\p{L}))[\p{L}\d|-]+){0,3}(?:\.|[ ]\.[ ]?|,(?=\p{L})|\.\n(?=(?:c[o0]m|[o0]rg|n[ec][tf]|[ec]xa(?:m|rn)p[l1i|][ec]|inf[o0]|biz|[a-z]{2})(?![\p{L}\d])))[a-z\d|]{2,24})(?![\p{L}\d@])$re$
      ),
      (
        'email_after_label', 'email', null, null, null,
        'What follows e-mail and ends like a domain.',
        $re$(?<![\p{L}\d])«e-mail|email|e mail»[ ]?[:.]?[ ]{0,2}\n{0,2}(?<value>[^\s:]{3,}[ ]?[^\s:]*\.[a-z]{2,24})$re$
      ),
      (
        'street_of_one_word', 'address', null, 'street', null,
        'Streets of one word, as in German, Dutch and the languages of the north, with number, postal code and place.',
        $re$(?<![\p{L}\d])(?<value>(?:(?:am|arn|an der|im|alte[rs]?|neue[rs]?|gro(?:ß|ss)e|kleine|obere|untere|lange|hohe|st\.|sankt|prinses|prins|koning)[ \n])?[\p{L}\d|]*(?:«strasse|gasse|weg|allee|platz|ring|damm|ufer|kai|chaussee|stieg|gatan|vägen|straat|laan|kade|plein|dijk|singel|gade|vej»|stra[ßB]e|str\.),?[ ]?\n?(?=\S{0,3}\d)«9»{1,4}[ ]?[a-z]?(?![\p{L}\d])(?:[,;]?[ ]?\n{0,2}(?:[a-z]{1,2}[-– ])?(?:«9»{4,6}(?:[ ]?[a-z]{2})?|«9»{3}[ ]«9»{2}|«9»{2}-«9»{3}|«9»{4}-«9»{3}),?[ \n]\n?[\p{L}8][\p{L}\d.'’\-|]{2,}(?:[ ](?:am|an der|sur|upon)[ ]\p{L}+)?)?)$re$
      ),
      (
        'street_of_english', 'address', null, 'street', null,
        'Streets with the number first, as in English, with place and postal code.',
        $re$(?<![\p{L}\d])(?<value>(?=\S{0,4}\d)«9»{1,5}[a-z]?,?[ \n](?:[\p{L}\d.'’\-|]+[ \n]){1,4}?(?:«street|road|avenue|lane|drive|boulevard|blvd|court|close|square|terrace|crescent|wharf|highway|parkway|gardens|business park|industrial estate»|str|st|rd|ave|ln|dr|cl|way|sq|quay|hwy|pkwy|grove|mews)(?![\p{L}\d])\.?(?:[,.]?[ ]?\n{0,2}[\p{L}][\p{L}\d.'’\-|]{2,}(?:[ ][\p{L}\d.'’\-]+)?,?[ \n](?:[a-z]{1,2}«9»[a-z\d|]?[ \n]?«9»[a-z\d]{2}|[a-z]{2},?[ \n]«9»{5}(?:-«9»{4})?)(?![\p{L}\d]))?)$re$
      ),
      (
        'street_of_french', 'address', null, 'street', null,
        'Streets as in French.',
        $re$(?<![\p{L}\d])(?<value>(?=\S{0,3}\d)«9»{1,4}(?:[ ](?:bis|ter))?,?[ ]\n?«rue|avenue|boulevard|quai|chemin|impasse|allée»[ \n](?:[\p{L}\d.'’\-|]+[ \n]?){1,5}?(?=\n|,|$|[ ]{2}|[ ]«9»{5})(?:[,;]?[ ]?\n{0,2}(?:[a-z]{1,2}[-– ])?(?:«9»{4,6}(?:[ ]?[a-z]{2})?|«9»{3}[ ]«9»{2}|«9»{2}-«9»{3}|«9»{4}-«9»{3}),?[ \n]\n?[\p{L}8][\p{L}\d.'’\-|]{2,}(?:[ ](?:am|an der|sur|upon)[ ]\p{L}+)?)?)$re$
      ),
      (
        'street_of_romance', 'address', null, 'street', null,
        'Streets as in Spanish, Portuguese, Italian and Polish.',
        $re$(?<![\p{L}\d])(?<value>(?:«calle|avenida|avda|paseo|plaza|rua|avenue|viale|piazza|corso|largo|ulica»|c/|[uv][l1]\.)\.?[ \n](?:[\p{L}\d.'’\-|]+[ \n]){1,5}?(?:n[°º][ ]?)?(?=\S{0,3}\d)«9»{1,4}[ ]?[a-z]?(?![\p{L}\d])(?:[,;]?[ ]?\n{0,2}(?:[a-z]{1,2}[-– ])?(?:«9»{4,6}(?:[ ]?[a-z]{2})?|«9»{3}[ ]«9»{2}|«9»{2}-«9»{3}|«9»{4}-«9»{3}),?[ \n]\n?[\p{L}8][\p{L}\d.'’\-|]{2,}(?:[ ](?:am|an der|sur|upon)[ ]\p{L}+)?)?)$re$
      ),
      (
        'street_before_place', 'address', null, 'street', null,
        'Words and a number before a postal code and a place.',
        $re$(?<![\p{L}\d])(?<value>(?=\p{L})(?:[\p{L}\d][\p{L}\d.'’\-|]+[ ]){0,3}[\p{L}\d][\p{L}\d.'’\-|]+[ \n](?=\S{0,3}\d)«9»{1,4}[ ]?[a-z]?(?![\p{L}\d])(?:[,;][ ]?\n?|\n{1,2})(?:[a-z]{1,2}[-– ])?(?=\S{0,3}\d)(?:«9»{4,6}(?:[ ]?[a-z]{2})?|«9»{3}[ ]«9»{2}|«9»{2}-«9»{3}),?[ \n]\n?[\p{L}8][\p{L}\d.'’\-|]{2,})$re$
      ),
      (
        'place_after_street', 'address', null, 'places', null,
        'Postal codes with their places, on the line of a street or below it.',
        $re$(?:(?:«street|road|avenue|lane|drive|boulevard|blvd|court|close|square|terrace|wharf»|str\.|st|rd|ave|dr|way|quay|b[o0]x[ ]\S{2,6}|(?:rue|quai|avenue|allée)[ ][^\n]{3,30})(?![\p{L}\d])[^\n]{0,60}?|(?<![\p{L}\d])(?!(?:ramp|dock|gate|berth|depot|lot|seal|page|item|stop|date|unit|lane)[ ])[\p{L}\d|]{4,}[ \n](?=\S{0,3}\d)«9»{1,4}(?![\p{L}\d])(?:[ ]{1,3}[\p{L}\d.'’ ]{3,40}[ ]«9»{1,4}|[ ]{1,3}«9»{1,4}[ ][\p{L}. ]{3,40})?)(?:\n{1,2}|,[ ])(?<value>[^\n]{5,90}(?:\n[^\n]{3,30})?)$re$
      ),
      (
        'post_box', 'address', null, null, null,
        'Post boxes.',
        $re$(?<![\p{L}\d])(?<value>(?:p\.?[ ]?[o0]\.?[ ]?\n?[b8][o0]x|postfach|apartado|postbus|bo[iî]te postale)[ ]?\n?(?=\S{0,4}\d)«9»{1,8}(?:[ ]«9»{2})?)$re$
      ),
      (
        'address_after_label', 'address', null, 'has_digit', null,
        'What follows address and a colon.',
        $re$(?<![\p{L}\d])«home address|postal address|private address|address|anschrift|adresse|wohnhaft»[ ]?:[ ]*\n?(?<value>[^\n]{6,90})$re$
      ),
      (
        'passport', 'passport', null, 'code', null,
        'Passport numbers after a label.',
        $re$(?<![\p{L}\d])«passport|reisepass|reisepaß|passeport|pasaporte|paspoort|passaporto|paszport»(?![\p{L}\d])(?:[ ]?\(?«number|num|nr|no|n°|nº|#»\)?(?![\p{L}\d]))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[\p{L}\d][^\n]{0,40}(?:\n[^\n]{1,20})?)$re$
      ),
      (
        'passport_machine_readable', 'passport', null, null, null,
        'Machine-readable lines of travel documents.',
        $re$(?<value>[a-z\d<]{5,44}<<[a-z\d<]{5,44})$re$
      ),
      (
        'driving_licence', 'driving_licence', null, 'code', null,
        'Driving licences after a label.',
        $re$(?<![\p{L}\d])«driver's licence|driver's license|drivers licence|drivers license|driver licence|driver license|driving licence|driving license|licence|license|führerschein|permis de conduire|permiso de conducir|patente|rijbewijs|prawo jazdy|dln|dl no»(?![\p{L}\d])(?:[ ]?\(?«number|num|nr|no|n°|nº|#»\)?(?![\p{L}\d]))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[\p{L}\d][^\n]{0,40}(?:\n[^\n]{1,20})?)$re$
      ),
      (
        'national_id_after_label', 'national_id', null, 'code', null,
        'Numbers that states give to people, after a label.',
        $re$(?<![\p{L}\d])«national id|national identity|identity card|identity number|identity no|id card|id number|id no|personal id|personal number|personalausweis|ausweis|social security|ssn|national insurance|ni no|nino|dni|nie|nif|bsn|pesel|personnummer|cpr|codice fiscale|aadhaar|emirates id|citizen id»(?![\p{L}\d])(?:[ ](?:card|nummer))?(?:[ ]?\(?«number|num|nr|no|n°|nº|#»\)?(?![\p{L}\d]))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>[\p{L}\d][^\n]{0,40}(?:\n[^\n]{1,20})?)$re$
      ),
      (
        'national_id_by_check', 'national_id', null, 'national_id', null,
        'Numbers that states give to people, by their check digits: Spain, Italy, China.',
        $re$(?<![\p{L}\d])(?<value>[xyz]?\d{7,8}[ -]?[a-z]|[a-z]{6}\d{2}[a-z]\d{2}[a-z]\d{3}[a-z]|\d{17}[\dx])(?![\p{L}\d])$re$
      ),
      (
        'social_security', 'national_id', null, null, null,
        'Social security numbers of the United States.',
        $re$(?<![\p{L}\d./-])(?<value>«999»-\n?«99»-\n?«9999»)(?![\p{L}\d./-])$re$
      ),
      (
        'national_insurance', 'national_id', null, null, null,
        'National insurance numbers of the United Kingdom, in groups.',
        $re$(?<![\p{L}\d])(?<value>[a-ceghj-prtw-z][a-ceghj-nprtw-z][ ]?«99»[ ]«99»[ ]«99»[ ]?[a-d])(?![\p{L}\d])$re$
      ),
      (
        'birth_date', 'birth_date', null, 'has_digit', null,
        'Dates of birth after a label.',
        $re$(?<![\p{L}\d])«date of birth|birth date|birthdate|birthday|d.o.b.|dob|born on|born|geburtsdatum|geboren am|geb.|né le|née le|fecha de nacimiento|data di nascita|geboortedatum|data urodzenia»(?![\p{L}\d])[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>«9»{1,4}[ .,/\-]{0,2}\n?(?:«9»{1,2}|\p{L}[\p{L}\d|]{2,9})[ .,/\-]{0,2}\n?«9»{2,4})(?![\p{L}\d])$re$
      ),
      (
        'card', 'card', null, 'card', null,
        'Numbers of payment cards, by scheme, length and check digit.',
        $re$(?<![\p{L}\d])(?<value>«9»(?:[ .\-–]?\n?«9»){12,18})$re$
      ),
      (
        'card_in_groups', 'card', null, 'digits', null,
        'Four groups of four digits near words of payment.',
        $re$(?<![\p{L}\d])(?=«9»{4}[ ]\n?«9»{4}[ ]\n?«9»{4}[ ]\n?«9»{4}(?![\p{L}\d]))(?<=(?:iban|card|bank|pa[yi]|visa)[\s\S]{0,250})(?<value>[2-6bsSgG]«9»{3}(?:[ ]\n?«9»{4}){3})$re$
      ),
      (
        'card_after_label', 'card', null, 'digits', null,
        'Numbers after the name of a card.',
        $re$(?<![\p{L}\d])«credit card|debit card|card number|card|visa|mastercard|amex|american express|kreditkarte|carte bancaire|tarjeta»(?![\p{L}\d])(?:[ ]?\(?«number|num|nr|no|n°|nº|#»\)?(?![\p{L}\d]))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>«9»(?:[ .\-–]?\n?«9»){11,18})$re$
      ),
      (
        'iban', 'iban', null, 'iban', null,
        'IBANs, by country, length and check digits.',
        $re$(?<![\p{L}\d])(?<value>(?=\S?[a-z])[a-z0158|]{2}«9»{2}(?:[ ]?\n?[a-z\d|!]){11,30})$re$
      ),
      (
        'iban_in_groups', 'iban', null, 'iban_shape', null,
        'IBANs in groups of four, by country and length.',
        $re$(?<![\p{L}\d])(?<value>(?=\S?[a-z])[a-z0158|]{2}«9»{2}(?:[ \n][a-z\d|!]{4}){2,7}(?:[ \n][a-z\d|!]{1,3})?)$re$
      ),
      (
        'iban_after_label', 'iban', null, 'iban_shape', null,
        'IBANs after a label, by country and length.',
        $re$(?<![\p{L}\d])«bank account iban|bank account|account number|account no|account|iban|konto|compte|cuenta»(?![\p{L}\d])(?:[ ]?\(?«number|num|nr|no|n°|nº|#»\)?(?![\p{L}\d]))?[ \t:;,.\-–_…#°)]{0,40}(?:\n[ \t_.]*){0,2}(?<value>(?=\S?[a-z])[a-z0158|]{2}«9»{2}(?:[ ]?\n?[a-z\d|!]){11,30})$re$
      ),
      (
        'signatures_of_cmr_note', 'signature', 'cmr_note', null, '{0.05, 0.577, 0.66, 0.69}',
        'Boxes 22 and 23 of a CMR note: signatures and stamps of sender and carrier.',
        null
      ),
      (
        'first_signature_of_exception_sheet', 'signature', 'exception_sheet', null, '{0.06, 0.465, 0.42, 0.535}',
        'The upper signature of an exception sheet.',
        null
      ),
      (
        'second_signature_of_exception_sheet', 'signature', 'exception_sheet', null, '{0.06, 0.58, 0.42, 0.648}',
        'The lower signature of an exception sheet.',
        null
      ),
      (
        'receiver_of_delivery_receipt', 'signature', 'delivery_receipt', null, '{0.33, 0.78, 0.97, 0.804}',
        'Who received, at the foot of a delivery receipt.',
        null
      )
    ) as r (rule, reason, document_kind, validator, region, meaning, pattern)
  loop
    v_rules := v_rules + 1;
    if v_is_new then
      insert into docket.redaction_rules (rule_set_id, rule, reason, document_kind, pattern, validator, region, meaning)
      values (
        v_rule_set_id, v_rule.rule, v_rule.reason, v_rule.document_kind, v_rule.pattern, v_rule.validator, v_rule.region,
        v_rule.meaning
      );
    else
      perform from docket.redaction_rules r
      where r.rule_set_id = v_rule_set_id and r.rule = v_rule.rule
        and (r.reason, r.document_kind, r.pattern, r.validator, r.region)
          is not distinct from (v_rule.reason, v_rule.document_kind, v_rule.pattern, v_rule.validator, v_rule.region);
      if not found then
        raise exception 'rule "%" of the redaction rules "%" is not as it was', v_rule.rule, v_name
          using errcode = 'ZD060', hint = 'Give changed rules a new name.';
      end if;
    end if;
  end loop;
  if v_rules <> (select count(*) from docket.redaction_rules r where r.rule_set_id = v_rule_set_id) then
    raise exception 'the redaction rules "%" are not as many as they were', v_name
      using errcode = 'ZD060', hint = 'Give changed rules a new name.';
  end if;

  if v_is_new then
    insert into docket.redaction_todo (rule_set_id, job_id)
    select v_rule_set_id, j.job_id from docket.jobs j where j.state = 'published';
    insert into docket.rule_set_activations (rule_set_id, is_emergency, reason, activated_by)
    select v_rule_set_id, false, 'The first rules of this installation.', session_user
    where not exists (select from docket.rule_set_activations);
  end if;
end;
$seed$;
