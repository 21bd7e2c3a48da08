/** Compares the fields of a definition that our diff does not compare, or not always. */
import type { Change } from '../diff/change.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { diffWords } from '../text/word-diff.ts'
import { deceives, readsAsProse } from './added-words.ts'
import type { PinClass, PinItem } from './pin.ts'

export interface ContentsComparison {
  readonly classes: readonly PinClass[]
  readonly changes: readonly Change[]
}

/** Compares what our diff leaves out of an item of this kind. */
export function compareOtherFields(before: PinItem, after: PinItem): ContentsComparison {
  return compareFields(pickOtherFields(before, after), pickOtherFields(after, before))
}

function pickOtherFields({ kind, name, definition }: PinItem, other: PinItem): UnknownObject {
  const pick = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => names.includes(name)))
  if (kind === 'server') return pick('address', 'serverInfo', 'callingConvention')
  if (kind === 'tool') return pick('calledBy', 'sharesName', 'sharesReference')
  // Our diff keeps one argument of a name.
  if (kind === 'prompt')
    return hasRepeatedNames(definition.arguments) || hasRepeatedNames(other.definition.arguments)
      ? pick('arguments', 'sharesReference')
      : pick('sharesReference')
  // Our diff takes the name for the title of an item without one.
  const hasTitle = definition.title !== undefined || other.definition.title !== undefined
  const fields = hasTitle ? pick('name', 'sharesReference') : pick('sharesReference')
  // Our diff compares the text of a skill, which lacks the frontmatter of its file.
  const isText = kind === 'skill' && definition.text === other.definition.text
  return isText ? { ...fields, digest: findDigest(definition.files, name) } : fields
}

function findDigest(files: unknown, uri: string): unknown {
  const file = Array.isArray(files)
    ? files.find(each => isObject(each) && own(each, 'uri') === uri)
    : undefined
  return isObject(file) ? own(file, 'digest') : undefined
}

function hasRepeatedNames(given: unknown): boolean {
  const names = Array.isArray(given) ? given.map(each => (isObject(each) ? own(each, 'name') : each)) : []
  return new Set(names).size < names.length
}

interface FieldDifference {
  readonly name: string
  readonly old: unknown
  readonly now: unknown
}

/** A new version of a server is only said. Another name, or a sentence in place of either, is a text. */
function classifyServerInfo(before: unknown, after: unknown): PinClass {
  const [old, now] = [before, after].map(value => (isObject(value) ? value : {}))
  const [oldName, name, version = ''] = [
    own(old ?? {}, 'name'),
    own(now ?? {}, 'name'),
    own(now ?? {}, 'version'),
  ]
  // It is not known while the server is being connected again.
  if (name === undefined) return 'compatible'
  const isOther = oldName !== undefined && oldName !== name
  return isOther || readsAsProse(String(name)) || !isVersion(String(version)) ? 'changed-text' : 'compatible'
}

/** `1.2.3-beta.1+0a1b2c3`: at most three words, no blank, and no sentence without blanks. */
const isVersion = (text: string) =>
  /^[\w.+~:-]{0,64}$/.test(text) &&
  !/[a-z]{13}/i.test(text) &&
  (text.match(/[a-z]{3,}/gi)?.length ?? 0) <= 3 &&
  !deceives(text)

/** Each changed field is a change of text. */
export function compareFields(before: UnknownObject, after: UnknownObject): ContentsComparison {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const different = names.flatMap(name => {
    const [old, now] = [own(before, name), own(after, name)]
    const [oldText, nowText] = [old, now].map(value => (value === undefined ? '' : toText(value)))
    return oldText === nowText ? [] : [{ name, old, now, oldText: oldText ?? '', nowText: nowText ?? '' }]
  })
  const toClass = ({ name, old, now }: FieldDifference) =>
    name === 'serverInfo'
      ? classifyServerInfo(old, now)
      : name === 'address'
        ? 'other-server'
        : 'changed-text'
  return {
    classes: different.map(toClass),
    changes: different.map(({ name, old, now, oldText, nowText }) => ({
      fingerprint: fingerprint([name, old, now]),
      rule: `${name}-changed`,
      severity: toClass({ name, old, now }) === 'compatible' ? 'info' : 'warning',
      direction: 'text',
      path: name,
      message: `${name} changed`,
      before: old,
      after: now,
      words: diffWords(oldText, nowText),
    })),
  }
}

const toText = (value: unknown) => (typeof value === 'string' ? value : canonicalJson(value))
