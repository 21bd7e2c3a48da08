import { Link } from '@tanstack/react-router'
import { History, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { confirmReason } from '../../../core/tool/confirm-reason.ts'
import { isDataIcon, readIcons } from '../../../core/tool/icons.ts'
import type { ToolAnnotations } from '../../../core/tool/tool.ts'
import { getAppUri, getToolCallers } from '../../../core/tool/tool-app.ts'
import { useBackend } from '../../api/backend.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { getCallWords } from '../../ui/call-words.ts'
import { join } from '../../ui/join.ts'
import { Description } from '../../ui/markdown.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { toggleFavorite, useFavoriteTools } from '../../ui/stored-tools.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { functionFacts } from './function-facts.ts'
import styles from './tool-head.module.css'

const historyLabel = (noun: string) => `History of this ${noun}`

interface ToolHeadProps {
  readonly tool: ToolDetail
  /** Shown after the badges. */
  readonly badge?: ReactNode
  /** Shown at the end of the first line. */
  readonly children?: ReactNode
}

/** The head of a tool's page: its name, title, source, hints and description. */
export function ToolHead({ tool, badge, children }: ToolHeadProps) {
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const { description = '' } = tool
  const title = tool.title ?? tool.annotations?.title
  const words = getCallWords(tool)
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <div className={join('row wrap', styles.names)}>
          <h1 className="name" data-testid="tool-title">
            {visibleName(tool.name)}
          </h1>
          {tool.kind !== undefined && (
            <Badge tone="info" icon={words.icon}>
              {words.noun}
            </Badge>
          )}
          {title && title !== tool.name && <span className="muted">{title}</span>}
          <button
            type="button"
            className="row"
            aria-label={`Show source ${tool.source}`}
            onClick={() => go({ about: tool.source, tool: undefined, tab: undefined })}
          >
            <Badge>{tool.source}</Badge>
          </button>
          <AnnotationBadges annotations={tool.annotations} />
          <Icons icons={tool.extra?.icons} of={tool.name} />
          {confirmReason(tool) === 'rule' && <Badge tone="warn">asks first</Badge>}
          <AppBadges tool={tool} />
          {!tool.callable && <Badge tone="info">view only</Badge>}
          {badge}
        </div>
        <span className={styles.acts}>
          <FavoriteButton tool={tool} />
          {backend.has('GET /api/history') && tool.callable && (
            <Tooltip text={historyLabel(words.noun)}>
              <Link
                to="/history"
                search={{ tool: tool.ref }}
                className={join('mini muted', styles.history)}
                aria-label={historyLabel(words.noun)}
              >
                <History size={14} aria-hidden />
              </Link>
            </Tooltip>
          )}
          {children}
        </span>
      </div>
      {tool.uri !== undefined && (
        <p className={join('note', styles.address)}>
          <code>{tool.uri}</code> {tool.mimeType}
        </p>
      )}
      {description !== '' && (
        <div className={join('muted', styles.description)}>
          <Description text={description} lines={5} />
        </div>
      )}
      <FunctionNotes extra={tool.extra} />
    </header>
  )
}

function FavoriteButton({ tool }: { readonly tool: ToolDetail }) {
  const isFavorite = useFavoriteTools().some(({ ref }) => ref === tool.ref)
  const toggle = () => toggleFavorite(tool)
  useShortcut('toggle-favorite', toggle)
  return (
    <IconButton
      icon={Star}
      label={isFavorite ? 'Remove from favorites' : 'Add to favorites'}
      aria-pressed={isFavorite}
      className={styles.favorite}
      onClick={toggle}
    />
  )
}

const declared = 'declared by the source (unverified)'

function listAnnotationLabels(annotations: ToolAnnotations): [string, Tone][] {
  const labels: [string, Tone][] = []
  if (annotations.destructiveHint === true) labels.push(['destructive', 'bad'])
  else if (annotations.readOnlyHint === true) labels.push(['read-only', 'ok'])
  if (annotations.idempotentHint === true) labels.push(['idempotent', 'plain'])
  if (annotations.openWorldHint === true) labels.push(['open world', 'plain'])
  return labels
}

/** A tool's annotations as badges, labelled as unverified: they are hints from an untrusted source. */
function AnnotationBadges({ annotations }: { readonly annotations: ToolAnnotations | undefined }) {
  const labels = listAnnotationLabels(annotations ?? {})
  if (labels.length === 0) return null
  return (
    <>
      {labels.map(([label, tone]) => (
        <Badge key={label} tone={tone} title={declared}>
          {label}
        </Badge>
      ))}
      <span className="faint small" title={declared}>
        unverified
      </span>
    </>
  )
}

/** Whether the tool has an app, where it cannot run, and who may call the tool if its server limits that. */
function AppBadges({ tool }: { readonly tool: ToolDetail }) {
  const canRun = useBackend().has('POST /api/apps')
  const uri = getAppUri(tool)
  const callers = getToolCallers(tool)
  return (
    <>
      {uri !== undefined && (
        <Badge tone="info" title={uri}>
          {canRun ? 'app' : 'app, not run here'}
        </Badge>
      )}
      {callers.length === 1 && (
        <Badge title="Its server declares that only these may call it (unverified)">
          only for {callers[0]}s
        </Badge>
      )}
    </>
  )
}

/** The build state of a tool from a functions directory, and the environment variables that it reads. */
function FunctionNotes({ extra }: { readonly extra: ToolDetail['extra'] }) {
  const facts = functionFacts(extra)
  if (!facts) return null
  const { bridge, declaredIn = 'its source', unbuilt, stale, environment } = facts
  return (
    <ul className={join('stack note', styles.notes)}>
      {unbuilt && (
        <li>
          <Badge tone="info">declared in source</Badge> Read from <code>{declaredIn}</code>; functions.json
          does not have it. Build the tree before you rely on it.
        </li>
      )}
      {stale.length > 0 && (
        <li>
          <Badge tone="warn">stale build</Badge> functions.json and <code>{declaredIn}</code> disagree:{' '}
          {stale.join('; ')}. Build the tree again.
        </li>
      )}
      {bridge !== undefined && (
        <li>
          Called through the MCP bridge, server <code>{bridge}</code>.
        </li>
      )}
      {environment.length > 0 && (
        <li>
          Reads{' '}
          {environment.map(({ name, required, set, description }, index) => (
            <span key={name} title={description}>
              {index > 0 && ', '}
              <code>{name}</code>{' '}
              <span className={required && !set ? styles.unset : undefined}>
                ({[required && 'required', set ? 'set' : 'not set'].filter(Boolean).join(', ')})
              </span>
            </span>
          ))}
        </li>
      )}
    </ul>
  )
}

/** The icons of a source: data URLs as pictures, other addresses as text. Nothing is fetched. */
export function Icons({ icons, of }: { readonly icons: unknown; readonly of: string }) {
  const all = readIcons(icons)
  const remote = all.filter(icon => !isDataIcon(icon))
  return (
    <>
      {all.filter(isDataIcon).map(({ src }) => (
        <img key={src} src={src} alt={`Icon of ${of}`} width={20} height={20} />
      ))}
      {remote.map(({ src }) => (
        <span key={src} className="note truncate" title={src}>
          icon, not fetched: <code>{src.slice(0, 200)}</code>
        </span>
      ))}
    </>
  )
}
