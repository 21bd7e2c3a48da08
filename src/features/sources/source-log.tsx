import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { hasLevel, type LogLevel, type LogLine, logLevels } from '../../../core/tool/log-line.ts'
import { useBackend } from '../../api/backend.ts'
import { describeKeeping, useCallSettings } from '../../api/call-settings.ts'
import { sourceLogQuery } from '../../api/queries.ts'
import { formatTime, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { ScrollRegion } from '../../ui/scroll.tsx'
import styles from './source-log.module.css'
import { texts } from './texts.ts'

/** Colour codes of a terminal, which the page cannot show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the escape character
const ansi = /\u001b\[[0-9;]*[A-Za-z]/g

/** Pixels; a scroll position closer to the end counts as the end. */
const lineHeight = 20

type Filter = LogLevel | 'all'

/** The last lines of a source's log, requested again while they are shown. */
export function SourceLog({ source }: { readonly source: SourceState }) {
  const { data, error } = useQuery({
    ...sourceLogQuery(useBackend(), source.name),
    select: log => log.lines,
  })
  const [filter, setFilter] = useState<Filter>('all')
  const lines = data?.filter(line => filter === 'all' || hasLevel(line, filter))
  const scroller = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const heading = useRef<HTMLHeadingElement>(null)
  const isRead = data !== undefined
  // The log opens below the other parts of the page. Its lines make the page longer, so it is scrolled to again.
  useEffect(() => {
    const { current } = heading
    if (isRead && document.activeElement !== current) return
    current?.focus({ preventScroll: true })
    current?.scrollIntoView({ block: 'start' })
  }, [isRead])
  const last = lines?.at(-1)?.number
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line moves the end, which stays in sight until the user scrolls up
  useLayoutEffect(() => {
    const { current } = scroller
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight
  }, [last, filter])
  return (
    <section className="stack" aria-label={texts.log} data-testid="source-log">
      <h2 ref={heading} tabIndex={-1}>
        {texts.log}
      </h2>
      <div className="row wrap">
        <label className="row">
          Show
          <select
            className={join('text-field', styles.select)}
            value={filter}
            onChange={({ target }) => setFilter(target.value as Filter)}
          >
            <option value="all">all lines</option>
            {logLevels.map(level => (
              <option key={level} value={level}>
                messages from {level}
              </option>
            ))}
          </select>
        </label>
        <SetLevel source={source} />
      </div>
      <ErrorNote error={error} />
      {lines !== undefined && lines.length > 0 ? (
        <ScrollRegion
          ref={scroller}
          className={join('box', styles.lines)}
          label="Lines of the log"
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            isAtEnd.current = scrollTop + clientHeight > scrollHeight - lineHeight
          }}
        >
          {lines.map(line => (
            <Line key={line.number} {...line} />
          ))}
        </ScrollRegion>
      ) : (
        data !== undefined && (
          <p className="muted">
            {data.length === 0 ? 'No output yet.' : `None of ${plural(data.length, 'line')} has this level.`}
          </p>
        )
      )}
    </section>
  )
}

const tones: { readonly [Level in LogLevel]?: string | undefined } = {
  debug: 'faint',
  warning: styles.warning,
  error: styles.error,
  critical: styles.error,
  alert: styles.error,
  emergency: styles.error,
}

/** A line never changes, except the last one before its end has come. */
const Line = memo(function Line({ time, origin, level, logger, text }: LogLine) {
  return (
    <div className={styles.line}>
      <time className="faint" dateTime={time}>
        {formatTime(time, new Date())}
      </time>
      <span className={level === undefined ? 'faint' : tones[level]}>{level ?? originWords[origin]}</span>
      <span className="wrapped">
        {logger !== undefined && <span className="muted">{logger}: </span>}
        {text.replace(ansi, '')}
      </span>
    </div>
  )
})

const originWords: Readonly<Record<LogLine['origin'], string>> = {
  message: 'message',
  output: 'output',
  toolscope: 'toolscope',
}

/** The level that the server is asked for; nothing if it declares no log messages. */
function SetLevel({ source }: { readonly source: SourceState }) {
  const { changing, refused, isOffered } = useCallSettings(source)
  if (!isOffered || source.capabilities?.logging === undefined) return null
  return (
    <>
      <label className="row">
        Set level
        <select
          className={join('text-field', styles.select)}
          value={source.callSettings?.logLevel ?? ''}
          disabled={refused !== undefined || changing.isPending}
          title={refused ?? describeKeeping(source)}
          onChange={({ target }) => {
            const level = logLevels.find(each => each === target.value)
            changing.mutate({ logLevel: level })
          }}
        >
          <option value="">the server decides</option>
          {logLevels.map(level => (
            <option key={level} value={level}>
              {level}
            </option>
          ))}
        </select>
      </label>
      <ErrorNote error={changing.error} />
    </>
  )
}
