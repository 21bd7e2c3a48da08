import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef, useState } from 'react'
import type { SourceState } from '../../core/api/sources.ts'
import { visibleName } from '../../core/text/plain-text.ts'
import { useBackend } from '../api/backend.ts'
import { agentsQuery, toolSearchQuery } from '../api/queries.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { useSources } from '../api/use-sources.ts'
import { stringifySearch, type ToolTab, useWorkbenchNavigate } from '../navigation.ts'
import { getCallWords } from '../ui/call-words.ts'
import { ModalWindow } from '../ui/dialog.tsx'
import { requestInputFocus } from '../ui/input-focus.ts'
import { join } from '../ui/join.ts'
import { Kbd, ShortcutKeys } from '../ui/kbd.tsx'
import { runShortcut, useAvailableShortcuts } from '../ui/shortcut-handlers.ts'
import { type ShortcutId, shortcuts } from '../ui/shortcuts.ts'
import { type StoredTool, useFavoriteTools, useRecentTools } from '../ui/stored-tools.ts'
import styles from './palette.module.css'

const actionsOfSources = 'Actions of sources'

const searchOrJumpLabel = 'Search or jump to'

interface PaletteProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onRemoveSource: (source: SourceState) => void
}

/** Tools, sources and shortcuts in one list. */
export function Palette({ open, onOpenChange, onRemoveSource }: PaletteProps) {
  const afterwards = useRef<() => void>(undefined)
  const close = (then?: () => void) => {
    afterwards.current = then
    onOpenChange(false)
  }
  return (
    <ModalWindow
      open={open}
      onOpenChange={onOpenChange}
      className={styles.dialog}
      onClosed={() => afterwards.current?.()}
    >
      <Dialog.Title className="visually-hidden">{searchOrJumpLabel}</Dialog.Title>
      <Body onClose={close} onRemoveSource={onRemoveSource} />
    </ModalWindow>
  )
}

interface Suggestion {
  readonly value: string
  readonly title: ReactNode
  readonly note?: string | undefined
  /** At the right: the source, or the keys. */
  readonly end?: ReactNode
  readonly onSelect: () => void
  /** The tool whose actions Tab lists. */
  readonly tool?: StoredTool
}

interface BodyProps extends Pick<PaletteProps, 'onRemoveSource'> {
  /** Closes the palette, then calls `then`. */
  readonly onClose: (then?: () => void) => void
}

function matches(title: string, words: readonly string[]): boolean {
  const text = title.toLowerCase()
  return words.every(word => text.includes(word))
}

/** The groups of commands: they come first if the text names one. */
const actHeadings: readonly string[] = ['Commands', actionsOfSources]

const startsWithWord = (title: ReactNode, word: string) => String(title).toLowerCase().startsWith(word)

const rankHeading = (heading: string) => (actHeadings.includes(heading) ? 0 : 1)

/** Recent tools that are shown before the user types. */
const maxRecents = 5

/** Returns the actions of the entries. Each closes the palette first. */
function useActions({ onClose, onRemoveSource }: BodyProps) {
  const go = useWorkbenchNavigate()
  const backend = useBackend()
  const canRestart =
    useRefusal('POST /api/sources/{name}/restart') === undefined &&
    backend.has('POST /api/sources/{name}/restart')
  const open = (change: Parameters<typeof go>[0]) => {
    onClose()
    go({ tool: undefined, tab: undefined, about: undefined, ...change })
  }
  return {
    canCall: backend.has('POST /api/invocations'),
    canRestart,
    open,
    // The palette closes first, because a shortcut may move the focus or open a window.
    run: (id: ShortcutId) => onClose(() => runShortcut(id)),
    openForm: (ref: string) => {
      open({ tool: ref })
      requestInputFocus(ref)
    },
    copyLink: (ref: string) => {
      onClose()
      const address = new URL(location.href)
      address.search = stringifySearch({ tool: ref })
      void navigator.clipboard.writeText(address.href)
    },
    restart: (name: string) => {
      open({ about: name })
      void backend.request('POST /api/sources/{name}/restart', { params: { name } })
    },
    remove: (source: SourceState) => {
      onClose()
      onRemoveSource(source)
    },
  }
}

type Actions = ReturnType<typeof useActions>

/** Returns the actions for one tool. */
function listToolActions(
  { ref }: StoredTool,
  words: readonly string[],
  actions: Actions,
): readonly Suggestion[] {
  const tab = (tab: ToolTab, title: string): Suggestion => ({
    value: `action ${tab}`,
    title,
    onSelect: () => actions.open({ tool: ref, tab: tab === 'form' ? undefined : tab }),
  })
  const run: Suggestion = { ...tab('form', 'Run: go to its input'), onSelect: () => actions.openForm(ref) }
  const all = [
    ...(actions.canCall ? [run] : []),
    { value: 'action link', title: 'Copy link', onSelect: () => actions.copyLink(ref) },
    tab('versions', 'Versions'),
    tab('reference', 'Reference: usage, fields, schema'),
  ]
  return all.filter(({ title }) => matches(String(title), words))
}

interface SuggestionGroup {
  readonly heading: string
  readonly items: readonly Suggestion[]
}

/** Returns everything that matches the text, by group; without a text, recent tools, commands and all sources. */
function useGroups(q: string, words: readonly string[], actions: Actions) {
  const { open } = actions
  const offered = useAvailableShortcuts()
  const { data: page, isFetching } = useQuery(toolSearchQuery(useBackend(), q))
  const { data: sources = [] } = useSources()
  const { data: agents = [] } = useQuery({ ...agentsQuery(useBackend()), select: list => list.agents })
  const favorites = useFavoriteTools()
  const recents = useRecentTools()
  const storedTools = [...recents.slice(0, maxRecents), ...favorites].filter(
    (tool, at, all) => all.findIndex(({ ref }) => ref === tool.ref) === at,
  )
  const toToolSuggestion = (tool: StoredTool, note?: string, end: ReactNode = tool.source): Suggestion => ({
    value: `tool ${tool.ref}`,
    title: <code>{visibleName(tool.name)}</code>,
    note,
    end,
    onSelect: () => actions.openForm(tool.ref),
    tool,
  })
  const groups: readonly SuggestionGroup[] = [
    { heading: 'Recent', items: words.length === 0 ? storedTools.map(tool => toToolSuggestion(tool)) : [] },
    {
      heading: 'Tools',
      items: (words.length > 0 ? (page?.tools ?? []) : []).map(tool =>
        toToolSuggestion(
          tool,
          tool.summary,
          tool.kind === undefined
            ? tool.source
            : `${getCallWords({ kind: tool.kind }).noun} · ${tool.source}`,
        ),
      ),
    },
    {
      heading: 'Commands',
      items: shortcuts
        .filter(
          each =>
            !each.keysOnly &&
            offered.includes(each.id) &&
            matches(`${each.title} ${each.words ?? ''}`, words),
        )
        .map(({ id, title }) => ({
          value: `shortcut ${id}`,
          title,
          end: <ShortcutKeys id={id} />,
          onSelect: () => actions.run(id),
        })),
    },
    {
      heading: 'Agents',
      items: agents
        .filter(({ name, title = '', source }) => matches(`${name} ${title} ${source} agent`, words))
        .map(({ name, title = name, source, description }) => ({
          value: `agent ${source}/${name}`,
          title,
          note: description?.split('\n', 1)[0],
          end: source,
          onSelect: () => open({ agent: `${source}/${name}` }),
        })),
    },
    {
      heading: 'Sources',
      items: sources
        .filter(({ name }) => matches(name, words))
        .map(({ name, label }) => ({
          value: `source ${name}`,
          title: name,
          note: label,
          onSelect: () => open({ about: name }),
        })),
    },
    {
      heading: actionsOfSources,
      items:
        actions.canRestart && words.length > 0
          ? sources
              .flatMap(source => [
                {
                  value: `restart ${source.name}`,
                  title: `Restart ${source.name}`,
                  onSelect: () => actions.restart(source.name),
                },
                {
                  value: `remove ${source.name}`,
                  title: `Remove ${source.name}`,
                  onSelect: () => actions.remove(source),
                },
              ])
              .filter(({ title }) => matches(title, words))
          : [],
    },
  ]
  return { groups, isFetching }
}

/** Moves the commands to the front if the text names one: "history" finds History before any tool. */
function ranked(
  groups: readonly SuggestionGroup[],
  firstWord: string | undefined,
): readonly SuggestionGroup[] {
  const isCommand =
    firstWord !== undefined &&
    groups.some(
      ({ heading, items }) =>
        (heading === 'Commands' && items.length > 0) ||
        (heading === actionsOfSources && items.some(({ title }) => startsWithWord(title, firstWord))),
    )
  return isCommand ? groups.toSorted((a, b) => rankHeading(a.heading) - rankHeading(b.heading)) : groups
}

function Body(props: BodyProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const [scope, setScope] = useState<StoredTool>()
  const q = useDeferredValue(text.trim())
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const actions = useActions(props)
  const { groups: all, isFetching } = useGroups(q, words, actions)
  const groups =
    scope === undefined
      ? ranked(all, words[0])
      : [{ heading: visibleName(scope.name), items: listToolActions(scope, words, actions) }]
  const visibleGroups = groups.filter(({ items }) => items.length > 0)
  const values = visibleGroups.flatMap(({ items }) => items.map(({ value }) => value))
  const value = values.includes(chosen) ? chosen : (values[0] ?? '')
  const tool = visibleGroups.flatMap(({ items }) => items).find(item => item.value === value)?.tool
  const enter = (next: StoredTool | undefined) => {
    setScope(next)
    setText('')
    setChosen('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && tool && !event.shiftKey) enter(tool)
    else if (event.key === 'Backspace' && text === '' && scope) enter(undefined)
    else return
    event.preventDefault()
  }
  return (
    // The server ranks the tools: the list must not be sorted or filtered again.
    <Command
      shouldFilter={false}
      label={searchOrJumpLabel}
      loop
      // Answers arrive late: until the user moves, the first entry is selected.
      value={value}
      onKeyDown={onKeyDown}
      onValueChange={setChosen}
    >
      <Command.Input
        className={styles.input}
        value={text}
        onValueChange={next => {
          setText(next)
          setChosen('')
        }}
        placeholder={scope ? `What to do with ${visibleName(scope.name)}` : 'Search or jump to…'}
      />
      <Command.List className={styles.list} label="Suggestions">
        {!isFetching && <Command.Empty className={styles.empty}>Nothing matches</Command.Empty>}
        {visibleGroups.map(({ heading, items }) => (
          <Command.Group key={heading} heading={heading}>
            {items.map(item => (
              <Command.Item
                key={item.value}
                value={item.value}
                className={styles.item}
                onSelect={item.onSelect}
              >
                <span>{item.title}</span>
                <span className="muted truncate grow">{item.note}</span>
                <span className="muted">{item.end}</span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {(tool ?? scope) && (
        <p className={join('note', styles.hint)}>
          {scope ? <Kbd keys="⌫" /> : <Kbd keys="Tab" />}{' '}
          {scope ? 'back to all' : `${actions.canCall ? 'run, ' : ''}copy link, versions…`}
        </p>
      )}
    </Command>
  )
}
