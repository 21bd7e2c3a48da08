/** The words of a part that is new, for the cues. */

const mostTexts = 2_000
const deepest = 60

/** Every text in a value, names included, a line each; bounded. */
export function addedText(value: unknown): string {
  const texts: string[] = []
  collect(value, texts, 0)
  return texts.join('\n')
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= mostTexts || depth > deepest) return
  if (typeof value === 'string') texts.push(value.slice(0, 20_000))
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      // References and the dialect are addresses that no model is asked to visit.
      if (name === '$schema' || name === '$id' || name === '$ref') continue
      collect(item, texts, depth + 1)
    }
}
