import { useMemo, useState } from 'react'
import { readJson } from '../../../core/json/json-text.ts'
import type { WireMessage } from '../../../core/wire/wire-message.ts'
import { join } from '../../ui/join.ts'
import { ScrollRegion, TextBox } from '../../ui/scroll.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextViewer } from '../result/viewers/text-viewer.tsx'
import { TreeViewer } from '../result/viewers/tree-viewer.tsx'
import styles from './wire.module.css'

type MessageView = 'tree' | 'raw' | 'headers' | 'run'

const labels = { tree: 'Tree', raw: 'Raw', headers: 'Headers', run: 'Run' } as const

/** The text of a message as a tree and as it is, and the HTTP or the run around it. */
export function MessageViews({ message }: { readonly message: WireMessage }) {
  const { text, http, run, base64, isCut } = message
  const [chosen, setChosen] = useState<MessageView>()
  const value = useMemo(() => readValue(text), [text])
  const views: readonly (MessageView | false)[] = [
    value !== undefined && 'tree',
    'raw',
    http !== undefined && 'headers',
    run !== undefined && 'run',
  ]
  // A run without a text, or a GET: its facts say more than an empty text.
  const best = text !== '' ? undefined : run ? 'run' : http ? 'headers' : undefined
  const offered = views.filter(view => view !== false)
  const view = offered.find(each => each === (chosen ?? best)) ?? offered[0] ?? 'raw'
  return (
    <Tabs
      label="Views of the message"
      tabs={offered.map(id => ({ id, label: labels[id] }))}
      value={view}
      onChange={setChosen}
      bodyTestId="wire-view"
    >
      {isCut === true && view !== 'headers' && view !== 'run' && (
        <p className={join('notice small', styles.notice)}>The wire has only the beginning of this text.</p>
      )}
      {base64 !== undefined && view === 'raw' && (
        <p className={join('notice small', styles.notice)}>
          Not UTF-8: each byte that is no character is shown as �.
        </p>
      )}
      {view === 'tree' && <TreeViewer value={value} issues={[]} />}
      {view === 'raw' && (
        <TextViewer text={text} label="Text of the message" fileName={`message-${message.seq}.txt`} />
      )}
      {view === 'headers' && http && <Headers http={http} />}
      {view === 'run' && run && <Run run={run} />}
    </Tabs>
  )
}

/** Returns the JSON in a text; undefined if it is not an object or a list. */
function readValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  const reading = readJson(text)
  return reading.ok ? reading.value : undefined
}

function Headers({ http }: { readonly http: NonNullable<WireMessage['http']> }) {
  const { method, url, status, event, id, headers = {} } = http
  const pairs = [
    ...(url === undefined ? [] : [['Address', `${method ?? ''} ${url}`.trim()] as const]),
    ...(status === undefined ? [] : [['Status', String(status)] as const]),
    ...(event === undefined ? [] : [['event', event] as const]),
    ...(id === undefined ? [] : [['id', id] as const]),
    ...Object.entries(headers),
  ]
  return <Pairs label="Headers" pairs={pairs} />
}

function Run({ run }: { readonly run: NonNullable<WireMessage['run']> }) {
  const { argv, tool, directory, environment = {}, exitCode, signal, output } = run
  const pairs = [
    ...(tool === undefined ? [] : [['Tool', tool] as const]),
    ...(argv ?? []).map((word, index) => [index === 0 ? 'Program' : `Argument ${index}`, word] as const),
    ...(directory === undefined ? [] : [['Directory', directory] as const]),
    ...Object.entries(environment),
    ...(exitCode === undefined ? [] : [['Exit code', String(exitCode)] as const]),
    ...(signal === undefined ? [] : [['Signal', signal] as const]),
  ]
  return (
    <Pairs label="Run" pairs={pairs}>
      {output !== undefined && (
        <section className="stack" aria-label="LLM_OUTPUT">
          <h3>LLM_OUTPUT</h3>
          <TextBox maxHeight={400}>{output.slice(0, 200_000)}</TextBox>
        </section>
      )}
    </Pairs>
  )
}

interface PairsProps {
  readonly label: string
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly children?: React.ReactNode
}

function Pairs({ label, pairs, children }: PairsProps) {
  return (
    <ScrollRegion label={label}>
      <dl className={styles.pairs}>
        {pairs.map(([name, value], index) => (
          // Names may repeat.
          // biome-ignore lint/suspicious/noArrayIndexKey: the pairs never change
          <div key={index} style={{ display: 'contents' }}>
            <dt className="mono muted">{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      {children && <div className="padded">{children}</div>}
    </ScrollRegion>
  )
}
