import { PDFiumLibrary } from '@hyzyla/pdfium';

/** The text of a PDF as a person's viewer reads it, by pdfium, each run of white space as one space. */
export async function pdfText(pdf: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    return [...document.pages()]
      .map((page) => page.getText())
      .join('\n')
      .replace(/\s+/g, ' ');
  } finally {
    document.destroy();
    library.destroy();
  }
}
