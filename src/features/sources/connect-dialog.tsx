import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Connection } from '../../../core/api/clients.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import {
  type ConnectClientId,
  connectClientIds,
  connectClients,
} from '../../../core/prompt/connect-clients.ts'
import { useBackend } from '../../api/backend.ts'
import { connectQuery } from '../../api/queries.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { ScrollRegion } from '../../ui/scroll.tsx'
import { Segments } from '../../ui/toggle-buttons.tsx'
import styles from './connect-dialog.module.css'

interface ConnectDialogProps {
  readonly source: SourceState
  readonly onClose: () => void
}

const clientChoices = connectClientIds.map(value => ({ value, label: connectClients[value].title }))
const ways = [
  { value: 'server', label: 'The server itself' },
  { value: 'toolscope', label: 'Through Toolscope' },
] as const

/** Shows the texts that give a source to another MCP client, to copy. */
export function ConnectDialog({ source: { name, kind }, onClose }: ConnectDialogProps) {
  const [client, setClient] = useState<ConnectClientId>('claude-code')
  const [via, setVia] = useState<Connection['via']>()
  const { data, error } = useQuery(connectQuery(useBackend(), name, { client, ...(via && { via }) }))
  return (
    <Dialog open wide title={`Connect ${name}`} onOpenChange={onClose}>
      <Segments legend="Client" look="apart" choices={clientChoices} value={client} onChange={setClient} />
      {kind === 'mcp-server' && (
        <Segments
          legend="What the client starts"
          choices={ways}
          value={via ?? data?.via ?? 'server'}
          onChange={setVia}
        />
      )}
      <ErrorNote error={error} />
      {data && <Texts connection={data} />}
    </Dialog>
  )
}

function Texts({ connection: { title, texts, notes } }: { readonly connection: Connection }) {
  return (
    <>
      {texts.map(({ kind, about, text }) => (
        <section key={about} className="stack">
          <div className="row">
            <span>{about}</span>
            <CopyButton label={`Copy the ${kind} for ${title}`} text={() => text} />
            {kind === 'link' && <a href={text}>Open</a>}
          </div>
          <ScrollRegion label={`The ${kind} for ${title}`} className={join('box mono', styles.text)}>
            {text}
          </ScrollRegion>
        </section>
      ))}
      {notes.map(note => (
        <p key={note} className="notice">
          {note}
        </p>
      ))}
    </>
  )
}
