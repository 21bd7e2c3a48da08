import type { FormNode } from '../../../../core/form/form-node.ts'
import type { Json } from '../../../../core/json/json.ts'
import { readJson, readNumber } from '../../../../core/json/json-text.ts'

/**
 * The items of a pasted list: a JSON array, lines, or (for numbers and fixed values) commas. Texts stay texts for string
 * items, numbers are read for number items.
 */
export function splitPasted(text: string, item: FormNode): Json[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) {
    const reading = readJson(trimmed)
    if (reading.ok && Array.isArray(reading.value)) return [...(reading.value as readonly Json[])]
  }
  const lines = trimmed.split(/\r\n|\r|\n/).map(line => line.trim())
  const byComma = item.kind === 'number' || item.kind === 'enum'
  const parts = lines.length > 1 || !byComma ? lines : trimmed.split(/[,;\t ]+/)
  return parts.filter(part => part !== '').map(part => asItem(part, item))
}

function asItem(text: string, item: FormNode): Json {
  if (item.kind === 'string') return text
  if (item.kind === 'enum') return item.options.find(option => option.label === text)?.value ?? text
  return readNumber(text) ?? text
}
