import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useBackend } from '../../api/backend.ts'
import { agentsQuery, toolSearchQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import floatingStyles from '../../ui/floating.module.css'
import { ShortcutKeys } from '../../ui/shortcuts/kbd.tsx'
import { runShortcut, useAvailableShortcuts } from '../../ui/shortcuts/shortcut-handlers.ts'
import { type ShortcutId, shortcuts } from '../../ui/shortcuts/shortcuts.ts'
import styles from './palette.module.css'

interface PaletteProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Tools, sources and shortcuts in one list. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={floatingStyles.overlay} />
        <Dialog.Content className={styles.dialog} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Search or jump to</Dialog.Title>
          <Body onClose={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface Suggestion {
  readonly value: string
  readonly title: ReactNode
  readonly note?: string | undefined
  /** At the right: the source, or the keys. */
  readonly end?: ReactNode
  readonly onSelect: () => void
}

function matches(title: string, words: readonly string[]): boolean {
  const text = title.toLowerCase()
  return words.every(word => text.includes(word))
}

function Body({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const q = useDeferredValue(text.trim())
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const go = useWorkbenchNavigate()
  const offered = useAvailableShortcuts()
  const { data: page, isFetching } = useQuery(toolSearchQuery(useBackend(), q))
  const { data: sources = [] } = useSources()
  const { data: agents = [] } = useQuery({ ...agentsQuery(useBackend()), select: list => list.agents })
  const run = (id: ShortcutId) => {
    onClose()
    // After the window has closed and given the focus back: a shortcut may move it.
    setTimeout(() => runShortcut(id), 0)
  }
  const open = (change: Parameters<typeof go>[0]) => {
    onClose()
    go({ tool: undefined, tab: undefined, about: undefined, ...change })
  }
  const groups: readonly { readonly heading: string; readonly items: readonly Suggestion[] }[] = [
    {
      heading: 'Tools',
      items: (words.length > 0 ? (page?.tools ?? []) : []).map(({ ref, name, summary, source }) => ({
        value: `tool ${ref}`,
        title: <code>{visibleName(name)}</code>,
        note: summary,
        end: source,
        onSelect: () => open({ tool: ref }),
      })),
    },
    {
      heading: 'Commands',
      items: shortcuts
        .filter(each => !each.keysOnly && offered.includes(each.id) && matches(each.title, words))
        .map(({ id, title }) => ({
          value: `shortcut ${id}`,
          title,
          end: <ShortcutKeys id={id} />,
          onSelect: () => run(id),
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
  ]
  const shown = groups.filter(({ items }) => items.length > 0)
  const values = shown.flatMap(({ items }) => items.map(({ value }) => value))
  return (
    // The server ranks the tools: the list must not be sorted or filtered once more.
    <Command
      shouldFilter={false}
      label="Search or jump to"
      loop
      // Answers come late: until the user moves, the first one is chosen, whichever that is now.
      value={values.includes(chosen) ? chosen : (values[0] ?? '')}
      onValueChange={setChosen}
    >
      <Command.Input
        className={styles.input}
        value={text}
        onValueChange={next => {
          setText(next)
          setChosen('')
        }}
        placeholder="Search or jump to…"
      />
      <Command.List className={styles.list} label="Suggestions">
        {!isFetching && <Command.Empty className={styles.empty}>Nothing matches</Command.Empty>}
        {shown.map(({ heading, items }) => (
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
    </Command>
  )
}
