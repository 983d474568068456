/** Everything a paper names is invented; telephone numbers come from ranges kept free for fiction. */
export interface Party {
  name: string;
  street: string;
  city: string;
  country: string;
  mail: string;
  phone: string;
}

export const PARTIES: readonly Party[] = [
  {
    name: 'Brannik Steinzeug GmbH',
    street: 'Lotsenkai 88',
    city: '21079 Hamburg',
    country: 'Germany',
    mail: 'export@brannik.example',
    phone: '+49 30 23125 041',
  },
  {
    name: 'Ostrava Forge & Fitting a.s.',
    street: 'Kovarska 1203',
    city: '70200 Ostrava',
    country: 'Czechia',
    mail: 'sales@ostravaforge.example',
    phone: '+49 30 23125 187',
  },
  {
    name: 'Merrow Bay Timber Ltd',
    street: '14 Quillback Road',
    city: 'Bristol BS11 9XQ',
    country: 'United Kingdom',
    mail: 'yard@merrowbay.example',
    phone: '+44 20 7946 0312',
  },
  {
    name: 'Caldera Coffee Cooperativa',
    street: 'Avenida Los Cedros 450',
    city: 'Puerto Limon',
    country: 'Costa Rica',
    mail: 'lote@caldera.example',
    phone: '+44 20 7946 0745',
  },
  {
    name: 'Hollin Refrigeration BV',
    street: 'Schelpweg 31',
    city: '3089 KN Rotterdam',
    country: 'Netherlands',
    mail: 'planning@hollin.example',
    phone: '+44 20 7946 0118',
  },
  {
    name: 'Tarnwick Machine Tools plc',
    street: '7 Anvil Close',
    city: 'Leeds LS10 4ZW',
    country: 'United Kingdom',
    mail: 'goodsin@tarnwick.example',
    phone: '+44 20 7946 0960',
  },
  {
    name: 'Sorrel & Vane Foods Inc.',
    street: '2210 Pelican Avenue',
    city: 'Tacoma WA 98421',
    country: 'United States',
    mail: 'docs@sorrelvane.example',
    phone: '+1 253 555 0164',
  },
  {
    name: 'Lindqvist Papper AB',
    street: 'Sagverksgatan 5',
    city: '80321 Gavle',
    country: 'Sweden',
    mail: 'order@lindqvistpapper.example',
    phone: '+44 20 7946 0507',
  },
];

export const GOODS: readonly (readonly [description: string, commodity: string])[] = [
  ['Glazed stoneware tiles 300x600', '6907.21.90'],
  ['Hot forged pipe flanges DN80', '7307.91.00'],
  ['Sawn larch battens, kiln dried', '4407.19.20'],
  ['Green coffee, washed, 60 kg bags', '0901.11.00'],
  ['Scroll compressor units R290', '8414.30.81'],
  ['Lathe chucks with soft jaws', '8466.20.98'],
  ['Tomato passata in glass 690 g', '2002.90.31'],
  ['Kraft liner reels 125 g/m2', '4804.11.15'],
  ['Bicycle frames, aluminium', '8714.91.10'],
  ['Lithium iron phosphate modules', '8507.60.00'],
  ['Oat flakes, bulk in liner bags', '1104.12.90'],
  ['Ball valves, brass, 1/2 inch', '8481.80.81'],
];

export const VESSELS: readonly string[] = [
  'MV PELLUCID DAWN',
  'MV KESTREL REACH',
  'MV ORLA SOUND',
  'MV TAMARIND',
];
export const PEOPLE: readonly string[] = [
  'A. Devereux',
  'M. Oyelaran',
  'K. Halvorsen',
  'S. Marchetti',
  'T. Nakagawa',
  'L. Brandt',
  'P. Quintero',
  'J. Aldous',
];
