import { LongText } from './long-text.tsx'

/** The tools in which one and the same change was found. */
export function FoldedTools({ tools }: { readonly tools: readonly string[] }) {
  return (
    <p className="muted" style={{ overflowWrap: 'anywhere' }}>
      In <LongText text={tools.join(', ')} />
    </p>
  )
}
