/** Does all of it, at most `limit` at a time; the answers come in the order of the items. Rejects with the first failure. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = new Array(items.length)
  let next = 0
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) answers[at] = await act(items[at] as Item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return answers
}
