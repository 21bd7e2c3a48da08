import type { FormNode } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import { shorten } from '../../../../core/text/wording.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { makeExample } from '../draft.ts'
import type { DraftStore } from '../draft-store.ts'
import { texts } from '../texts.ts'
import type { FieldAction } from './buttons.tsx'

/** Returns a menu entry for each state of a value: absent, null, empty, default, sample, any JSON. */
export function nodeMenu(
  store: DraftStore,
  planner: FormPlanner,
  node: FormNode,
  schema: JsonSchema,
  path: Path,
  json: { readonly asJson: boolean; readonly onJson: (on: boolean) => void },
): FieldAction[] {
  const value = store.get(path)
  const set = (label: string, next: Json | undefined): FieldAction => ({
    label,
    onSelect: () => store.set(path, next),
  })
  const items: FieldAction[] = []
  if (value !== undefined) items.push(set(texts.clear, undefined))
  if ((node.kind === 'string' || node.kind === 'any') && value !== '') items.push(set('Set to ""', ''))
  if (node.kind === 'array') items.push(set(texts.setToEmptyList, []))
  if (node.kind === 'object') {
    items.push(set(texts.setToEmptyObject, {}))
    items.push({ label: 'Add another key', onSelect: () => addKey(store, path) })
  }
  if (value !== null) items.push(set(node.nullable ? 'Set null' : 'Set null (not allowed here)', null))
  const { default: preset } = node.schema
  if (preset !== undefined) items.push(set(`Use default ${preview(preset)}`, preset as Json))
  items.push({
    label: 'Fill with an example',
    onSelect: async () => {
      const example = await makeExample(standalone(schema, planner))
      if (example !== undefined) store.set(path, example)
    },
  })
  items.push({
    label: json.asJson ? texts.editWithTheField : texts.editAsJson,
    onSelect: () => json.onJson(!json.asJson),
  })
  return items
}

/** Adds a key that the schema does not name. The user types its name in its row. */
function addKey(store: DraftStore, path: Path): void {
  const object = store.get(path)
  const taken = isObject(object) ? object : {}
  let number = 1
  while (Object.hasOwn(taken, `key${number}`)) number++
  store.set([...path, `key${number}`], '')
}

/** Returns the schema with the root's definitions, so that its references resolve. */
function standalone(schema: JsonSchema, planner: FormPlanner): JsonSchema {
  if (!isObject(planner.root) || !isObject(schema) || schema === planner.root) return schema
  const { $defs, definitions } = planner.root
  return {
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...schema,
  }
}

export function preview(value: unknown, maxLength = 40): string {
  return shorten(JSON.stringify(value) ?? '', maxLength)
}
