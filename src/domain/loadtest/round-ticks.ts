/** Round numbers from 0 to at least `most`, about so many, to be written along an axis. */
export function roundTicks(most: number, about = 5): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough * (1 - 1e-9)) ?? rough;
  const count = Math.ceil(most / step - 1e-9);
  // By division where it can be: 3 × 0.1 is not 0.3.
  return Array.from({ length: count + 1 }, (_, at) => (step < 1 ? at / Math.round(1 / step) : at * step));
}
