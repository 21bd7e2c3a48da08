import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useBackend } from '../../api/backend.ts'
import { sourcesQuery } from '../../api/queries.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import styles from './add-source.module.css'
import { Examples } from './examples.tsx'
import { SourceForm } from './source-form.tsx'

const ways = [
  { command: 'toolscope node -- tools.mjs', text: 'A program that answers --llms with its list of tools.' },
  {
    command: 'toolscope manifest.json',
    text: 'A manifest file: MCP tools/list, functions.json, OpenAI or Anthropic tools.',
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

/** The page while there are no sources. */
export function FirstRun() {
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const { data: examples = [] } = useQuery({ ...sourcesQuery(backend), select: list => list.examples })
  return (
    <div className={join('page', styles.page)}>
      <div className={join('stack', styles.column)}>
        <h1>No source yet</h1>
        <p className="muted">
          Toolscope shows the tools of a program, calls them and checks what comes back. Open a source to
          begin.
        </p>
        {backend.has('POST /api/sources') && examples.length > 0 && <Examples examples={examples} />}
        <SourceForm onDone={source => go({ about: source.name })} />
        <p className="muted">Or drop a manifest or an mcp.json anywhere on this page.</p>
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
      </div>
    </div>
  )
}
