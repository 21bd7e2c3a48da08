import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import notes from '../../ui/notes.module.css'
import styles from './diff-page.module.css'
import { useDiffSearch } from './diff-search.ts'

/** Says what can be compared, and offers the sources that are open. */
export function NothingChosen({ canDrop }: { readonly canDrop: boolean }) {
  const [{ a, b }, go] = useDiffSearch()
  const { data: sources = [] } = useSources()
  const missing = a === undefined ? 'a' : 'b'
  const offered = sources.filter(source => source.name !== a && source.name !== b).slice(0, 12)
  return (
    <div className={styles.start}>
      <h2>Compare two versions</h2>
      <p>Compatible changes are proved; breaking ones come with an input that fails.</p>
      <p>Each side is one of these:</p>
      <dl className={notes.ways}>
        <dt>An open source</dt>
        <dd>by its name, as in the bar above</dd>
        <dt>A version of it</dt>
        <dd>
          <code>acme@3</code>, <code>acme@previous</code>, <code>acme@2026-11-21</code>, or by a label
        </dd>
        <dt>A manifest file</dt>
        <dd>
          <code>old/tools.json</code>: MCP, OpenAI, Anthropic, functions.json or an <code>--llms</code>{' '}
          manifest
          {canDrop && '; or drop one or two files here'}
        </dd>
        <dt>File at a Git revision</dt>
        <dd>
          <code>git:HEAD~3:tools.json</code>
        </dd>
      </dl>
      {offered.length > 0 && (
        <div className="row wrap">
          <span className="muted">{missing === 'a' ? 'Before:' : 'After:'}</span>
          {offered.map(source => (
            <Button key={source.name} onClick={() => go({ [missing]: source.name })}>
              {source.name}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
