/** URI templates of RFC 6570, all four levels except associative arrays: https://www.rfc-editor.org/rfc/rfc6570 */

export interface TemplateVariable {
  readonly name: string
  /** True for `*`: the variable takes a list. */
  readonly isList: boolean
  /** True in a query (`?`, `&`): the address is complete without it. */
  readonly isOptional: boolean
}

interface Expression {
  readonly operator: string
  readonly variables: readonly {
    readonly name: string
    readonly isExploded: boolean
    readonly maxCharacters?: number
  }[]
}

/** Braces without a variable are plain text. */
const expressions = /\{([+#./;?&]?)([\w.%]+(?:\*|:\d{1,4})?(?:,[\w.%]+(?:\*|:\d{1,4})?)*)\}/g

/**
 * The table of appendix A of the RFC, by operator: the first character, the separator, and whether names are written.
 */
const rules: Readonly<
  Record<string, { readonly first: string; readonly separator: string; readonly isNamed?: boolean }>
> = {
  '': { first: '', separator: ',' },
  '+': { first: '', separator: ',' },
  '#': { first: '#', separator: ',' },
  '.': { first: '.', separator: '.' },
  '/': { first: '/', separator: '/' },
  ';': { first: ';', separator: ';', isNamed: true },
  '?': { first: '?', separator: '&', isNamed: true },
  '&': { first: '&', separator: '&', isNamed: true },
}

/** Returns the variables of a template in order, each once. */
export function templateVariables(template: string): readonly TemplateVariable[] {
  const found = new Map<string, TemplateVariable>()
  for (const match of template.matchAll(expressions)) {
    const { operator, variables } = readExpression(match)
    for (const { name, isExploded } of variables) {
      const isOptional = operator === '?' || operator === '&'
      if (!found.has(name)) found.set(name, { name, isList: isExploded, isOptional })
    }
  }
  return [...found.values()]
}

/**
 * Returns the address for a template and its values. A value is a string, a number, a boolean or a list of them; other
 * values and empty lists count as absent, as the RFC demands.
 */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(expressions, (...match) => {
    const { operator, variables } = readExpression(match)
    const { first, separator, isNamed = false } = rules[operator] ?? { first: '', separator: ',' }
    const encode = operator === '+' || operator === '#' ? encodeReserved : encodeAll
    // A name without a value is written `;name`, but `name=` in a query.
    const named = (name: string, text: string) =>
      text === '' && operator === ';' ? name : isNamed ? `${name}=${text}` : text
    const parts = variables.flatMap(({ name, isExploded, maxCharacters }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (!Array.isArray(value)) {
        if (!isScalar(value)) return []
        return [named(name, encode([...String(value)].slice(0, maxCharacters).join('')))]
      }
      const items = value.filter(isScalar).map(item => encode(String(item)))
      if (items.length === 0) return []
      return isExploded ? items.map(item => named(name, item)) : [named(name, items.join(','))]
    })
    return parts.length === 0 ? '' : first + parts.join(separator)
  })
}

/**
 * Returns the values with which the template gives the address; undefined if it finds none. It supports one variable
 * per pair of braces, with text between them (`db://{table}/{id}`), but not queries and lists.
 */
export function readTemplate(
  template: string,
  address: string,
): Readonly<Record<string, string>> | undefined {
  const found = [...template.matchAll(expressions)]
  const values: [name: string, value: string][] = []
  let textStart = 0
  let at = 0
  for (const [index, match] of found.entries()) {
    const [variable] = readExpression(match).variables
    const isLast = index === found.length - 1
    const textEnd = match.index + match[0].length
    const next = template.slice(textEnd, found[index + 1]?.index)
    at += match.index - textStart
    // If two variables follow each other without text, the end of the first one is unknown.
    const end = next !== '' ? address.indexOf(next, at) : isLast ? address.length : -1
    const value = end < at ? undefined : decoded(address.slice(at, end))
    if (variable === undefined || value === undefined) return undefined
    values.push([variable.name, value])
    textStart = textEnd
    at = end
  }
  const read = Object.fromEntries(values)
  return expandTemplate(template, read) === address ? read : undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readExpression([, operator = '', list = '']: readonly unknown[]): Expression {
  const variables = String(list)
    .split(',')
    .map(text => {
      const [name = '', characters] = text.replace('*', '').split(':')
      const isExploded = text.endsWith('*')
      return { name, isExploded, ...(characters === undefined ? {} : { maxCharacters: Number(characters) }) }
    })
  return { operator: String(operator), variables }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A lone surrogate cannot be encoded. */
const wellFormed = (text: string) => text.replace(/[\ud800-\udfff]/gu, '\ufffd')

const encodeAll = (text: string) =>
  encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Keeps reserved characters and existing percent-encodings. */
const encodeReserved = (text: string) =>
  wellFormed(text)
    .split(/(%[0-9a-f]{2})/i)
    .map((part, at) => (at % 2 === 1 ? part : encodeURI(part).replace(/%5B/g, '[').replace(/%5D/g, ']')))
    .join('')
