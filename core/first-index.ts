/** The first index below `length` from which on `test` holds, by halving; `length` where it holds nowhere. */
export function firstIndex(length: number, test: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
