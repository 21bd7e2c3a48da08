/** Words by which tools can be found besides their names. */
import { isObject, own } from '../json/json.ts'
import { nameSegments, type Tool } from '../tool/tool.ts'

const most = 50
const longest = 100

/**
 * What the tool is tagged with: `tags` of its format's extra fields, of `_meta` and of what stands one level inside it
 * (servers keep their own object there), then its annotations and kind. Each once; hostile text.
 */
export function tagsOf(tool: Tool): string[] {
  const meta = tool.extra?._meta
  const holders = [tool.extra, meta, ...(isObject(meta) ? Object.values(meta).slice(0, most) : [])]
  const named = holders.flatMap(holder => (isObject(holder) ? textList(own(holder, 'tags')) : []))
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {}
  const told = [
    readOnlyHint === true && 'read-only',
    destructiveHint === true && 'destructive',
    idempotentHint === true && 'idempotent',
    openWorldHint === true && 'open-world',
    tool.outputSchema !== undefined && 'typed-output',
    !tool.callable && 'view-only',
  ].filter(tag => typeof tag === 'string')
  return [...new Set([...named, ...told])]
}

/** Where the tool belongs: its source, the first word of a nested name, and the category its format states. */
export function categoriesOf(tool: Tool): string[] {
  const segments = nameSegments(tool.name)
  const [first = ''] = segments
  const stated = own(tool.extra ?? {}, 'category')
  const group = segments.length > 1 ? [first] : []
  return [...new Set([tool.source, ...group, ...textList([stated])])]
}

function textList(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, most).flatMap(each => {
    const text = typeof each === 'string' ? each.trim().slice(0, longest) : ''
    return text === '' ? [] : [text]
  })
}
