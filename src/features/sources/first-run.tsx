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
import { texts } from './texts.ts'

const ways = [
  { command: 'toolscope node -- tools.mjs', text: texts.llmsProgramExample },
  {
    command: 'toolscope manifest.json',
    text: texts.manifestExample,
  },
  { command: 'toolscope ~/llm-functions', text: texts.functionsDirectoryExample },
  { command: 'toolscope npx -- -y some-mcp-server', text: texts.mcpServerExample },
  { command: 'toolscope mcp.json', text: texts.mcpJsonExample },
  {
    command: 'toolscope http://localhost:8808',
    text: texts.addressExample,
  },
  { command: 'toolscope --help', text: texts.everythingElse },
]

/** The page before there is any source. */
export function FirstRun() {
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const { data: examples = [] } = useQuery({ ...sourcesQuery(backend), select: list => list.examples })
  return (
    <div className={join('page', styles.page)}>
      <div className={join('stack', styles.column)}>
        <h1>{texts.noSourceYet}</h1>
        <p className="muted">{texts.whatToolscopeDoes}</p>
        {backend.has('POST /api/sources') && examples.length > 0 && <Examples examples={examples} />}
        <SourceForm onDone={source => go({ about: source.name })} />
        <p className="muted">{texts.orDropFile}</p>
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
