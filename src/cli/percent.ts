/** A share from 0 to 1, for a person: 0.1 is `10%`. */
export function percent(share: number): string {
  return `${String(Number((share * 100).toPrecision(6)))}%`;
}
