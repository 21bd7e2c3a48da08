import { useState } from 'react'
import type { OpenedApp } from '../../../../core/api/apps.ts'
import type { AppPermission } from '../../../../core/tool/tool-app.ts'
import { Badge } from '../../../ui/badge.tsx'
import { formatBytes, formatTime, plural } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { ScrollRegion, TextBox } from '../../../ui/scroll.tsx'
import type { AppView } from './app-session.ts'
import styles from './app-viewer.module.css'

interface AppDetailsProps {
  readonly opened: OpenedApp
  readonly view: AppView
  readonly source: string
  /** The permissions that the user has granted to the source. */
  readonly permissions: readonly AppPermission[]
  readonly setPermissions: (permissions: readonly AppPermission[]) => void
}

/** A report on an app: its policy and permissions, the requests that were blocked, and its messages. */
export function AppDetails({ opened, view, source, permissions, setPermissions }: AppDetailsProps) {
  const [isOpen, setOpen] = useState(false)
  const { messages, droppedMessages, blocked } = view
  // Libraries try eval only to learn whether they may use it.
  const blockedRequests = blocked.filter(({ uri }) => uri !== 'eval').length
  return (
    <details
      className={styles.details}
      data-testid="app-details"
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>
        App details{' '}
        <span className="muted">
          {formatBytes(opened.bytes)} · {plural(messages.length + droppedMessages, 'message')}
        </span>{' '}
        {blockedRequests > 0 && <Badge tone="warn">{blockedRequests} blocked</Badge>}{' '}
        {opened.refused.length > 0 && (
          <Badge tone="warn">{plural(opened.refused.length, 'domain')} refused</Badge>
        )}
      </summary>
      {isOpen && (
        <div className="stack">
          <dl className={styles.facts}>
            <dt>Address</dt>
            <dd>
              <code>{opened.uri}</code>
            </dd>
            <dt>Origin</dt>
            <dd>
              <code>{opened.origin}</code>, in a frame without an origin
            </dd>
            <Domains opened={opened} />
            <dt>Permissions</dt>
            <dd>
              <Permissions
                declared={opened.declared}
                granted={permissions}
                source={source}
                onChange={setPermissions}
              />
            </dd>
          </dl>
          {opened.refused.length > 0 && (
            <Section title="Declared domains that are not allowed">
              {opened.refused.map(({ domain, reason }) => (
                <li key={domain}>
                  <code>{domain}</code> {reason}
                </li>
              ))}
            </Section>
          )}
          {blocked.length > 0 && (
            <Section title="Blocked by the browser">
              {blocked.map(({ directive, uri }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same request can be blocked twice
                <li key={index}>
                  <code>{uri}</code> by {directive}
                </li>
              ))}
            </Section>
          )}
          <Section title="Policy of the browser">
            <li>
              <TextBox maxHeight={120}>{opened.policy.replaceAll('; ', ';\n')}</TextBox>
            </li>
          </Section>
          <Messages view={view} />
        </div>
      )}
    </details>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={styles.list}>{children}</ul>
    </section>
  )
}

const domainLabels: Readonly<Record<string, string>> = {
  connectDomains: 'Sends data to',
  resourceDomains: 'Loads files of',
  frameDomains: 'Frames of',
  baseUriDomains: 'Base address',
}

function Domains({ opened }: { readonly opened: OpenedApp }) {
  const used = Object.entries(opened.domains).filter(([, domains]) => domains.length > 0)
  if (used.length === 0)
    return (
      <>
        <dt>Network</dt>
        <dd>
          No requests. Browsers have no policy for WebRTC and <code>preconnect</code>: its code can still open
          connections.
        </dd>
      </>
    )
  return used.map(([list, domains]) => (
    <div key={list} className={styles.fact}>
      <dt>{domainLabels[list] ?? list}</dt>
      <dd>
        <code>{domains.join(' ')}</code>
      </dd>
    </div>
  ))
}

const permissionLabels = {
  camera: 'Camera',
  microphone: 'Microphone',
  geolocation: 'Location',
  clipboardWrite: 'Write to the clipboard',
} as const satisfies Record<AppPermission, string>

interface PermissionsProps {
  readonly declared: readonly AppPermission[]
  readonly granted: readonly AppPermission[]
  readonly source: string
  readonly onChange: (granted: readonly AppPermission[]) => void
}

function Permissions({ declared, granted, source, onChange }: PermissionsProps) {
  if (declared.length === 0) return 'none asked for'
  return (
    <fieldset className="row wrap">
      <legend className="note">Allow to the apps of {source}; the app starts again</legend>
      {declared.map(permission => (
        <label key={permission} className="row">
          <input
            type="checkbox"
            checked={granted.includes(permission)}
            onChange={event => {
              const others = granted.filter(each => each !== permission)
              onChange(event.target.checked ? [...others, permission] : others)
            }}
          />
          {permissionLabels[permission]}
        </label>
      ))}
    </fieldset>
  )
}

function Messages({ view }: { readonly view: AppView }) {
  const { messages, droppedMessages } = view
  return (
    <section>
      <h3>Messages</h3>
      {droppedMessages > 0 && (
        <p className="note">{plural(droppedMessages, 'earlier message')} not listed.</p>
      )}
      <ScrollRegion className={styles.messages} label="Messages of the app" testId="app-messages">
        {messages.map(({ id, from, name, time, text }) => (
          <details key={id}>
            <summary>
              <span className="faint mono">{formatTime(time, new Date())}</span>{' '}
              <span className={join('mono', styles.from)}>{from === 'app' ? 'app →' : '→ app'}</span>{' '}
              <code>{name}</code>
            </summary>
            <TextBox maxHeight={160}>{text}</TextBox>
          </details>
        ))}
      </ScrollRegion>
    </section>
  )
}
