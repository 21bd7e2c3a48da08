/** Where a built functions.json and the source code it was built from no longer say the same. */
import { isObject, own } from '../../../core/json/json.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import type { Declaration, DeclaredParameter } from './declarations/declaration.ts'

/** Each difference in a few words, the source's side named first. Empty where both agree. */
export function declarationDifferences(declaration: Declaration, tool: ManifestTool): string[] {
  const schema = tool.inputSchema
  const properties = typeof schema === 'object' ? own(schema, 'properties') : undefined
  const built = isObject(properties) ? properties : {}
  const required = typeof schema === 'object' ? own(schema, 'required') : undefined
  const demanded = new Set(Array.isArray(required) ? required : [])
  const differences: string[] = []
  if (!sameText(declaration.description, tool.description ?? '')) differences.push('the description differs')
  const declared = new Set(declaration.parameters.map(({ name }) => name))
  for (const name of Object.keys(built))
    if (!declared.has(name)) differences.push(`"${name}" is no longer in the source`)
  for (const parameter of declaration.parameters) {
    const property = own(built, parameter.name)
    if (property === undefined) differences.push(`"${parameter.name}" is missing in functions.json`)
    else differences.push(...parameterDifferences(parameter, property, demanded.has(parameter.name)))
  }
  return differences
}

function parameterDifferences(parameter: DeclaredParameter, property: unknown, demanded: boolean): string[] {
  const { name } = parameter
  const built = isObject(property) ? property : {}
  const differences: string[] = []
  const type = builtType(built)
  if (parameter.type !== undefined && type !== parameter.type)
    differences.push(`"${name}" is ${parameter.type} in the source and ${type} in functions.json`)
  // llm-functions' own build demands a Python parameter although it has a default.
  if (parameter.required !== demanded && !(demanded && parameter.hasDefault === true))
    differences.push(
      parameter.required ? `"${name}" is required in the source` : `"${name}" is optional in the source`,
    )
  const items = own(built, 'items')
  const choices = own(built, 'enum') ?? (isObject(items) ? own(items, 'enum') : undefined)
  if (folded(parameter.choices) !== folded(choices)) differences.push(`the choices of "${name}" differ`)
  const description = own(built, 'description')
  const said = parameter.description ?? ''
  const builtText = typeof description === 'string' ? description : ''
  // Of a text that goes on below, the build takes the first line from Python.
  if (!sameText(said, builtText) && !sameText(said.split('\n', 1)[0] ?? '', builtText))
    differences.push(`the description of "${name}" differs`)
  return differences
}

function builtType(property: { readonly [key: string]: unknown }): string {
  const type = own(property, 'type')
  if (type !== 'array') return typeof type === 'string' ? type : 'of any type'
  const items = own(property, 'items')
  return `${isObject(items) ? String(own(items, 'type')) : 'any'}[]`
}

/** llm-functions' own build writes the choices of JavaScript in small letters, and keeps spaces around a `|`. */
const folded = (choices: unknown) =>
  Array.isArray(choices) ? JSON.stringify(choices.map(choice => String(choice).trim().toLowerCase())) : ''

const sameText = (one: string, other: string) => squeezed(one) === squeezed(other)
const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()
