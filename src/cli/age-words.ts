/** `42 s`, `5 min`, `3 h`, `2 d`: enough to see what is stuck. Clocks may step back; an age does not. */
export function ageWords(seconds: number): string {
  const [size, unit] = [[86_400, 'd'] as const, [3600, 'h'] as const, [60, 'min'] as const].find(
    ([least]) => seconds >= 2 * least,
  ) ?? [1, 's'];
  return `${Math.floor(Math.max(seconds, 0) / size)} ${unit}`;
}
