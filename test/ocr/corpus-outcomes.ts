/**
 * What must become of each file of the handed-over corpus, beside its INDEX.tsv. Recognised files are the rule: their
 * verdict must be `text` on every page, with all words that the index quotes. Listed here is what differs, and why.
 */
export interface Outcome {
  /** A failure code; or WARNED (recognised, but with a warning: it will be quarantined), or MISMATCH (pages missing). */
  readonly code?: string;
  /** The verdicts of the pages, where they are not all `text`. */
  readonly verdicts?: readonly string[];
  /** Quoted words that need not be found. */
  readonly excused?: readonly string[];
  readonly why?: string;
}

const unsupported: Outcome = { code: 'UNSUPPORTED_FORMAT' };
const encrypted: Outcome = { code: 'ENCRYPTED' };
const truncated: Outcome = { code: 'TRUNCATED' };
const corrupt: Outcome = { code: 'CORRUPT' };
const blank: Outcome = { verdicts: ['blank'] };
const picture: Outcome = { verdicts: ['no_text'], why: 'a picture without writing' };
const repaired: Outcome = {
  code: 'WARNED',
  why: 'PDFium had to guess the objects: shown to a person, never published',
};
const unpainted: Outcome = {
  code: 'WARNED',
  verdicts: ['blank'],
  why: 'text that should be visible is not: never a blank success',
};

/** By path below the corpus. */
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'hostile/active/external_stream_file.pdf': blank,
  'hostile/bomb/bomb_16383x16383.webp': unsupported,
  'hostile/bomb/content_bomb_flate_flate_512MiB.pdf': {
    code: 'OCR_OUT_OF_MEMORY',
    why: 'PDFium runs out of the memory that a child may have',
  },
  'hostile/bomb/image_bomb_60000x60000_1bit.pdf': { code: 'TOO_MANY_PIXELS' },
  'hostile/damaged/header_only.jpg': truncated,
  'hostile/damaged/header_only.png': truncated,
  'hostile/damaged/random_bytes.pdf': { code: 'UNKNOWN_FORMAT' },
  'hostile/damaged/truncated_60.pdf': truncated,
  'hostile/damaged/zero_byte.pdf': { code: 'EMPTY_OBJECT' },
  'hostile/damaged/zero_byte.png': { code: 'EMPTY_OBJECT' },
  'hostile/encrypted/enc_user_aes128.pdf': encrypted,
  'hostile/evidence/text_outside_cropbox.pdf': unpainted,
  'hostile/evidence/white_text.pdf': unpainted,
  'hostile/geometry/mediabox_zero.pdf': repaired,
  'hostile/image/16bit.cropped.tif': picture,
  'hostile/image/broken_data_stream.png': truncated,
  'hostile/image/crash-0c7e0e8e11ce787078f00b5b0ca409a167f070e0.tif': truncated,
  'hostile/image/crash-1152ec2d1a1a71395b6f2ce6721c38924d025bf3.tif': truncated,
  'hostile/image/crash-63b1dffefc8c075ddc606c0a2f5fdc15ece78863.tif': corrupt,
  'hostile/image/decompression_bomb.gif': unsupported,
  'hostile/image/decompression_bomb_extents.gif': unsupported,
  'hostile/image/delay.png': { verdicts: ['blank'], why: 'the still image of an animation: one colour' },
  'hostile/image/dispose_bgnd.gif': unsupported,
  'hostile/image/expected_to_read.jp2': unsupported,
  'hostile/image/hopper_webp.tif': picture,
  'hostile/image/invalid-exif.jpg': picture,
  'hostile/image/iss634.webp': unsupported,
  'hostile/image/old-style-jpeg-compression.tif': { code: 'UNSUPPORTED_CODEC' },
  'hostile/image/oom-225817ca0f8c663be7ab4b9e717b02c661e66834.tif': truncated,
  'hostile/image/seek_too_large.tif': truncated,
  'hostile/image/separate_planar_extra_samples.tiff': { code: 'UNSUPPORTED_CODEC', why: 'signed samples' },
  'hostile/image/sugarshack_bad_mpo_header.jpg': picture,
  'hostile/image/tiff_16bit_RGB.tiff': picture,
  'hostile/image/tiff_strip_cmyk_16l_jpeg.tif': picture,
  'hostile/image/tiff_tiled_ycbcr_jpeg_2x2_sampling.tif': picture,
  'hostile/image/truncated_app14.jpg': {
    code: 'WARNED',
    why: 'the decoder skipped bytes between two segments',
  },
  'hostile/image/truncated_jpeg.jpg': truncated,
  'hostile/image/xmp_tags_orientation.png': {
    verdicts: ['no_text'],
    why: 'a picture without writing; orientation that stands in XMP only is not followed, as viewers do not either',
  },
  'hostile/image/zero_width.gif': unsupported,
  'hostile/orientation/orientation_6.webp': unsupported,
  'hostile/pdf/ContentStreamCycleType3insideType3.pdf': {
    verdicts: ['no_text'],
    why: 'glyphs that draw each other',
  },
  'hostile/pdf/PDFBOX-4352-0.pdf': { code: 'WARNED', verdicts: ['blank'] },
  'hostile/pdf/REDHAT-1531897-0.pdf': corrupt,
  'hostile/pdf/bitmap-initially-unknown-size.pdf': picture,
  'hostile/pdf/bitmap-symbol-symhuffuncompressed-texthuff.pdf': picture,
  'hostile/pdf/broken-objstream6.pdf': { code: 'NO_PAGES' },
  'hostile/pdf/bug1250079.pdf': truncated,
  'hostile/pdf/bug1782186.pdf': encrypted,
  'hostile/pdf/bug_jpx.pdf': { code: 'CORRUPT', why: 'PDFium gives up on the codestream' },
  'hostile/pdf/circular-page-tree.pdf': { code: 'MISMATCH', verdicts: ['blank'] },
  'hostile/pdf/doc_actions.pdf': { verdicts: ['blank', 'blank', 'blank'] },
  'hostile/pdf/docinfo_latin1_key.pdf': blank,
  'hostile/pdf/empty_protected.pdf': {
    verdicts: ['blank'],
    why: 'opens with the empty password, as every viewer opens it; what it forbids is printing and copying, not reading',
  },
  'hostile/pdf/encrypted-attachment.pdf': repaired,
  'hostile/pdf/imagemagick-images.pdf': { verdicts: Array.from({ length: 6 }, () => 'no_text') },
  'hostile/pdf/invalid.pdf': corrupt,
  'hostile/pdf/invalid_pdf.pdf': {
    why: 'other readers complain; PDFium finds its tables sound and paints both pages, so there is nothing to report',
  },
  'hostile/pdf/issue15590.pdf': { code: 'WARNED', verdicts: ['blank'] },
  'hostile/pdf/issue15893_reduced.pdf': encrypted,
  'hostile/pdf/issue3371.pdf': encrypted,
  'hostile/pdf/issue6010_1.pdf': encrypted,
  'hostile/pdf/issue7229.pdf': repaired,
  'hostile/pdf/minimal-aes256.pdf': encrypted,
  'hostile/pdf/minimal-startxref-obo4.pdf': repaired,
  'hostile/pdf/no_contents.pdf': blank,
  'hostile/pdf/noembed-eucjp.pdf': { ...unpainted, why: 'there is no Japanese font to paint it with' },
  'hostile/pdf/noembed-sjis.pdf': { ...unpainted, why: 'there is no Japanese font to paint it with' },
  'hostile/pdf/operator_list_cycle.pdf': {
    code: 'OCR_TIMEOUT',
    why: 'PDFium follows the cycle until it is stopped',
  },
  'hostile/pdf/password-is-test.pdf': encrypted,
  'hostile/pdf/poppler-395-0-fuzzed.pdf': { code: 'NO_PAGES' },
  'hostile/pdf/poppler-742-0-fuzzed.pdf': corrupt,
  'hostile/pdf/poppler-85140-0.pdf': corrupt,
  'hostile/pdf/poppler-91414-0-53.pdf': {
    why: 'only the page count refers to itself; PDFium counts the pages and paints the one there is, in full',
  },
  'hostile/pdf/scan-bad.pdf': repaired,
  'hostile/pdfgen/count_lies_high.pdf': { code: 'MISMATCH' },
  'hostile/pdfgen/page_tree_deep_4000.pdf': corrupt,
  'hostile/pdfgen/pages_3000.pdf': { code: 'TOO_MANY_PAGES' },
  'hostile/pixel/one_pixel.png': blank,
  'hostile/pixel/one_pixel_row.png': blank,
  'hostile/pixel/text_float32_0_1.tif': { code: 'UNSUPPORTED_CODEC' },
  'hostile/polyglot/mvg_named.jpg': { code: 'UNKNOWN_FORMAT' },
  'hostile/polyglot/postscript_named.pdf': unsupported,
  'hostile/polyglot/svg_named.png': unsupported,
  'real-scans/ocrmypdf/lichtenstein.pdf': picture,
  'real-scans/paperless/simple.bmp': unsupported,
  'real-scans/synthetic-logistics/air_waybill_phone.jpg': {
    excused: ['61.5 K', '74.0'],
    why: 'perspective and blur',
  },
  'real-scans/synthetic-logistics/bol_ocean_fax_fine.tif': { excused: ['EVER LUCENT / 0412W'], why: 'fax' },
  'real-scans/synthetic-logistics/cmr_de_fr_scan_skew.jpg': {
    excused: ['18 642,5'],
    why: 'a ruled line between the digits',
  },
  'real-scans/synthetic-logistics/commercial_invoice_fax_standard.tif': {
    excused: ['CI-90031'],
    why: 'half the lines of a fax: low accuracy is tolerated',
  },
  'real-scans/tesseract-test/arabic.tif': { verdicts: ['no_text'], why: 'the model reads Latin letters' },
};
