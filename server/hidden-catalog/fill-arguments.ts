/** Fills the inputs of a server's own tools: the templates of a pattern (core/api/hidden-catalog.ts). */
import { isObject, type Json, type JsonObject, setOwnMember } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { openInput } from '../../core/prompt/usage-line.ts'
import { flagTypes, isOpen } from '../../core/script/flag-types.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'

/** The values of `{name}`, `{input}` and `{next}`; of `{name:shell}` and `{input:flags}` too. */
export interface TemplateValues {
  readonly name?: string
  readonly input?: Json
  readonly next?: Json
  /** The tool whose input it is: flags are read by its schema. */
  readonly tool?: ManifestTool
}

/** Flags cannot express the input. The message is a sentence for the user. */
export class InexpressibleInput extends Error {}

const placeholder = /\{(name|name:shell|input|input:flags|next)\}/g

/**
 * Returns the input of a call. A text that is only a placeholder becomes its value; a member whose placeholder has no
 * value is left out. Throws InexpressibleInput.
 */
export function fillArguments(
  template: Readonly<Record<string, unknown>>,
  values: TemplateValues,
): JsonObject {
  // A pattern is JSON: it comes from a file or from known-patterns.ts. An object stays an object.
  return fill(template as JsonObject, values) as JsonObject
}

function fill(template: Json, values: TemplateValues): Json | undefined {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item: Json) => fill(item, values) ?? null)
  if (!isObject(template)) return template
  const filled: JsonObject = {}
  for (const [key, part] of Object.entries(template)) {
    const value = fill(part, values)
    if (value !== undefined) setOwnMember(filled, key, value)
  }
  return filled
}

function fillText(text: string, values: TemplateValues): Json | undefined {
  const [whole] = /^\{(?:name|input|next)\}$/.exec(text) ?? []
  if (whole !== undefined) return values[whole.slice(1, -1) as 'name' | 'input' | 'next']
  return text.replace(placeholder, (_, key: string) => toText(key, values))
}

function toText(key: string, { name = '', input = {}, next = null, tool }: TemplateValues): string {
  switch (key) {
    case 'name':
      return name
    case 'name:shell':
      return quoteWord(name)
    case 'input:flags':
      return toShellFlags(input, tool)
    default: {
      const value = key === 'next' ? next : input
      return typeof value === 'string' ? value : writeJson(value, 0)
    }
  }
}

/**
 * Returns `--key=value` for each member. ScriptedTool reads a value by the type that the schema declares; without one
 * it reads a text, and it cannot read null.
 */
function toShellFlags(input: Json, tool: ManifestTool | undefined): string {
  if (!isObject(input))
    throw new InexpressibleInput('The input must be an object: each member becomes a flag.')
  const { planner, fields } = openInput(tool?.inputSchema ?? true)
  const schemas = new Map(fields.map(({ name, schema }) => [name, schema]))
  const words = Object.entries(input).map(([key, value]) => {
    if (typeof value === 'string') return `--${key}=${value}`
    const schema = schemas.get(key)
    if (value === null || schema === undefined || isOpen(flagTypes(planner, schema)))
      throw new InexpressibleInput(
        value === null
          ? `"${key}" is null, which a flag cannot say; leave it out.`
          : `"${key}" has no declared type, so that a flag would arrive as text.`,
      )
    return `--${key}=${writeJson(value, 0)}`
  })
  return words.map(quoteWord).join(' ')
}

/** Returns one word of a shell. bashkit cannot read a single quote between quotes (`'\''`), so double quotes are used. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return `"${word.replaceAll('\0', '').replace(/[\\"$`]/g, '\\$&')}"`
}
