/** Where a built functions.json and the source code it was built from no longer say the same. */
import { isObject, own, type UnknownObject } from '../../core/json/json.ts'
import type { JsonSchema, ManifestTool } from '../../core/tool/tool.ts'
import type { Declaration } from './declaration.ts'

/** Each difference in a few words, the source's side named first. Empty where both agree. */
export function declarationDifferences(declaration: Declaration, tool: ManifestTool): string[] {
  const source = readParameters(declaration.inputSchema)
  const built = readParameters(tool.inputSchema)
  const differences: string[] = []
  if (!sameText(declaration.description, tool.description ?? '')) differences.push('the description differs')
  for (const name of Object.keys(built.properties))
    if (!Object.hasOwn(source.properties, name)) differences.push(`"${name}" is no longer in the source`)
  for (const name of Object.keys(source.properties)) {
    const property = own(source.properties, name)
    const other = own(built.properties, name)
    if (other === undefined) differences.push(`"${name}" is missing in functions.json`)
    else {
      differences.push(...propertyDifferences(name, asObject(property), asObject(other)))
      const isRequired = source.required.has(name)
      if (isRequired !== built.required.has(name))
        differences.push(`"${name}" is ${isRequired ? 'required' : 'optional'} in the source`)
    }
  }
  return differences
}

function readParameters(schema: JsonSchema): { properties: UnknownObject; required: ReadonlySet<unknown> } {
  const object = asObject(schema)
  const required = own(object, 'required')
  return {
    properties: asObject(own(object, 'properties')),
    required: new Set(Array.isArray(required) ? required : []),
  }
}

const asObject = (value: unknown): UnknownObject => (isObject(value) ? value : {})

function propertyDifferences(name: string, source: UnknownObject, built: UnknownObject): string[] {
  const differences: string[] = []
  const [type, builtType] = [typeOf(source), typeOf(built)]
  // Without a type the build refuses the source: what it would have written is not known.
  if (own(source, 'type') !== undefined && type !== builtType)
    differences.push(`"${name}" is ${type} in the source and ${builtType} in functions.json`)
  if (choicesOf(source) !== choicesOf(built)) differences.push(`the choices of "${name}" differ`)
  if (!sameText(own(source, 'description'), own(built, 'description')))
    differences.push(`the description of "${name}" differs`)
  return differences
}

function typeOf(property: UnknownObject): string {
  const type = own(property, 'type')
  if (type !== 'array') return typeof type === 'string' ? type : 'of any type'
  return `${String(own(asObject(own(property, 'items')), 'type') ?? 'any')}[]`
}

const choicesOf = (property: UnknownObject) => JSON.stringify(own(property, 'enum')) ?? ''

const sameText = (one: unknown, other: unknown) => squeezed(one) === squeezed(other)
const squeezed = (text: unknown) => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '')
