/** Edits of a list that leave the given one as it is. */

export function without<Item>(items: readonly Item[], index: number): Item[] {
  return items.filter((_, position) => position !== index)
}

export function duplicated<Item>(items: readonly Item[], index: number): Item[] {
  return items.flatMap((item, position) => (position === index ? [item, item] : [item]))
}

export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = without(items, from)
  rest.splice(to, 0, ...items.slice(from, from + 1))
  return rest
}
