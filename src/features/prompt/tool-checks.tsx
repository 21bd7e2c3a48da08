import { useMemo } from 'react'
import type { PromptAnswer } from '../../../core/api/prompt.ts'
import { formatCount } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { useVirtualRows, VirtualRows } from '../../ui/virtual-rows.tsx'
import { parseRefs, usePromptSearch } from './prompt-search.ts'
import styles from './tool-checks.module.css'

/** Every tool that was found, with its weight; a tool is excluded by its box. */
export function ToolChecks({ answer }: { readonly answer: PromptAnswer }) {
  const [{ without }, go] = usePromptSearch()
  const excluded = useMemo(() => new Set(parseRefs(without)), [without])
  const weights = useMemo(
    () => new Map(answer.measure.tools.map(({ ref, tokens }) => [ref, tokens])),
    [answer.measure.tools],
  )
  const { scroller, virtualizer } = useVirtualRows(answer.matched.length, 28)
  const toggle = (ref: string) => {
    const next = excluded.has(ref) ? [...excluded].filter(each => each !== ref) : [...excluded, ref]
    go({ without: next.length > 0 ? JSON.stringify(next) : undefined })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a scrolling part of a flexible column
    <div ref={scroller} className={join('scroll', styles.list)} role="group" aria-label="Tools in the prompt">
      <VirtualRows virtualizer={virtualizer}>
        {({ index, key, start }) => {
          const tool = answer.matched[index]
          if (tool === undefined) return null
          const tokens = weights.get(tool.ref)
          return (
            <label
              key={key}
              className={join('row hoverable', styles.row)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <input type="checkbox" checked={!excluded.has(tool.ref)} onChange={() => toggle(tool.ref)} />
              <span className="mono truncate grow" title={tool.ref}>
                {tool.name}
              </span>
              {tokens !== undefined && (
                <span className={join('note', styles.tokens)}>{formatCount(tokens)}</span>
              )}
            </label>
          )
        }}
      </VirtualRows>
    </div>
  )
}
