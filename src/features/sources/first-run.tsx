import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { manifestFormatWords } from '../../../core/manifest/manifest-formats.ts'
import { useBackend } from '../../api/backend.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import overview from '../../ui/overview.module.css'
import { AddForm } from './add-form.tsx'
import styles from './add-source.module.css'
import { Examples } from './examples.tsx'
import { FromClient, useClientServerCount } from './from-client.tsx'
import { texts } from './texts.ts'

const ways = [
  { command: 'toolscope node -- tools.mjs', text: 'A program that answers --llms with its list of tools.' },
  {
    command: 'toolscope manifest.json',
    text: `A manifest file: ${manifestFormatWords}.`,
  },
  { command: 'toolscope ~/llm-functions', text: 'An llm-functions directory, with its agents.' },
  { command: 'toolscope npx -- -y some-mcp-server', text: 'An MCP server, started here.' },
  { command: 'toolscope mcp.json', text: 'MCP servers, as Claude, Cursor and VS Code list them.' },
  {
    command: 'toolscope http://localhost:8808',
    text: 'An MCP server or a bridge by its address.',
  },
  { command: 'toolscope --help', text: 'Everything else.' },
]

interface FirstRunProps {
  readonly onAdded: (source: SourceState) => void
}

/** The page while there are no sources: one field, the servers of this folder and of other clients, and examples. */
export function FirstRun({ onAdded }: FirstRunProps) {
  const backend = useBackend()
  const count = useClientServerCount() ?? 0
  const { data: examples = [] } = useQuery({ ...sourcesQuery(backend), select: list => list.examples })
  return (
    <div className={join('page', styles.page)}>
      <div className={join('stack', styles.column)}>
        <h1>No source yet</h1>
        <p className="muted">
          Toolscope shows the tools of a program or a server, calls them and validates the results. Name a
          source to begin, or drop a manifest or an mcp.json anywhere on this page.
        </p>
        <AddForm onDone={onAdded} />
        {count > 0 && (
          <section aria-label={texts.fromAnotherClient} className="stack">
            <h2 className={overview.title}>{texts.fromAnotherClient}</h2>
            <FromClient onOpened={onAdded} />
          </section>
        )}
        {backend.has('POST /api/sources') && examples.length > 0 && (
          <Examples examples={examples} onOpened={onAdded} />
        )}
        <details>
          <summary>On the command line</summary>
          <dl className={notes.ways}>
            {ways.map(way => (
              <Fragment key={way.command}>
                <dt>
                  <code>{way.command}</code>
                </dt>
                <dd>{way.text}</dd>
              </Fragment>
            ))}
          </dl>
        </details>
      </div>
    </div>
  )
}
