import type { Tool } from '../tool/tool.ts'

/** A tool's annotations in words. They are the source's own claims; whoever shows them says so. */
export function hintsOf({ annotations = {} }: Pick<Tool, 'annotations'>): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const hints = [
    readOnlyHint === true && 'read-only: it changes nothing',
    readOnlyHint === false && 'not read-only: it may change things',
    destructiveHint === true && 'destructive: what it changes may be lost',
    destructiveHint === false && 'not destructive: it only adds',
    idempotentHint === true && 'idempotent: a second call with the same input changes nothing more',
    idempotentHint === false && 'not idempotent: each call counts',
    openWorldHint === true && 'open world: it reaches beyond its source',
    openWorldHint === false && 'closed world: it stays within its source',
  ]
  return hints.filter(hint => typeof hint === 'string')
}
