/**
 * Returns the wanted name, or the first of `numbered(2)`, `numbered(3)`, … that is not taken.
 *
 * @param nextNumbers the same map for all names of a set from which no name is removed; thousands of equal names then
 * take linear time
 */
export function freeName(
  wanted: string,
  taken: { has(name: string): boolean },
  numbered = (number: number) => `${wanted}-${number}`,
  nextNumbers?: Map<string, number>,
): string {
  if (!taken.has(wanted)) return wanted
  let number = nextNumbers?.get(wanted) ?? 2
  while (taken.has(numbered(number))) number++
  nextNumbers?.set(wanted, number + 1)
  return numbered(number)
}
