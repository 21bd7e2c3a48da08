/** `{{name}}` in instructions, replaced once: a value that holds braces itself is text. */

/** A piece of instructions: plain text, a variable with its value, or one that has none. */
export type InstructionPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  /** Stays `{{name}}` in the rendered text, as AIChat leaves it. */
  | { readonly kind: 'unknown'; readonly name: string }

/** Splits instructions at their variables. Linear in the text; `values` is read by its own members only. */
export function instructionParts(
  instructions: string,
  values: Readonly<Record<string, string>>,
): InstructionPart[] {
  const parts: InstructionPart[] = []
  let from = 0
  for (const match of instructions.matchAll(/\{\{(\w+)\}\}/g)) {
    const [whole, name = ''] = match
    if (match.index > from) parts.push({ kind: 'text', text: instructions.slice(from, match.index) })
    parts.push(
      Object.hasOwn(values, name)
        ? { kind: 'variable', name, value: values[name] ?? '' }
        : { kind: 'unknown', name },
    )
    from = match.index + whole.length
  }
  if (from < instructions.length) parts.push({ kind: 'text', text: instructions.slice(from) })
  return parts
}

/** The instructions as a model gets them. */
export function renderInstructions(instructions: string, values: Readonly<Record<string, string>>): string {
  return instructionParts(instructions, values)
    .map(part =>
      part.kind === 'text' ? part.text : part.kind === 'variable' ? part.value : `{{${part.name}}}`,
    )
    .join('')
}
