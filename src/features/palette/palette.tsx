import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useDeferredValue, useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { agentsQuery, toolSearchQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
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
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.dialog} aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Search or jump to</Dialog.Title>
          <Body onClose={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
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
  const { data: agents = [] } = useQuery(agentsQuery(useBackend()))
  const shownShortcuts = shortcuts.filter(
    shortcut =>
      !('keysOnly' in shortcut && shortcut.keysOnly) &&
      offered.includes(shortcut.id) &&
      matches(shortcut.title, words),
  )
  const shownSources = sources.filter(source => matches(source.name, words))
  const shownAgents = agents.filter(agent =>
    matches(`${agent.name} ${agent.title ?? ''} ${agent.source} agent`, words),
  )
  const shownTools = words.length > 0 ? (page?.tools ?? []) : []
  const values = [
    ...shownTools.map(tool => `tool ${tool.ref}`),
    ...shownShortcuts.map(shortcut => `shortcut ${shortcut.id}`),
    ...shownAgents.map(agent => `agent ${agent.source}/${agent.name}`),
    ...shownSources.map(source => `source ${source.name}`),
  ]
  const run = (id: ShortcutId) => {
    onClose()
    // After the window has closed and given the focus back: a shortcut may move it.
    setTimeout(() => runShortcut(id), 0)
  }
  const open = (change: Parameters<typeof go>[0]) => {
    onClose()
    go({ tool: undefined, tab: undefined, about: undefined, ...change })
  }
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
        {shownTools.length > 0 && (
          <Command.Group heading="Tools">
            {shownTools.map(tool => (
              <Command.Item
                key={tool.ref}
                value={`tool ${tool.ref}`}
                className={styles.item}
                onSelect={() => open({ tool: tool.ref })}
              >
                <code>{tool.name}</code>
                <span className="muted truncate grow">{tool.summary}</span>
                <span className="muted">{tool.source}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {shownShortcuts.length > 0 && (
          <Command.Group heading="Commands">
            {shownShortcuts.map(shortcut => (
              <Command.Item
                key={shortcut.id}
                value={`shortcut ${shortcut.id}`}
                className={styles.item}
                onSelect={() => run(shortcut.id)}
              >
                <span className="grow">{shortcut.title}</span>
                <ShortcutKeys id={shortcut.id} />
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {shownAgents.length > 0 && (
          <Command.Group heading="Agents">
            {shownAgents.map(agent => (
              <Command.Item
                key={`${agent.source}/${agent.name}`}
                value={`agent ${agent.source}/${agent.name}`}
                className={styles.item}
                onSelect={() => open({ agent: `${agent.source}/${agent.name}` })}
              >
                <span>{agent.title ?? agent.name}</span>
                <span className="muted truncate grow">{agent.description?.split('\n', 1)[0]}</span>
                <span className="muted">{agent.source}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {shownSources.length > 0 && (
          <Command.Group heading="Sources">
            {shownSources.map(source => (
              <Command.Item
                key={source.name}
                value={`source ${source.name}`}
                className={styles.item}
                onSelect={() => open({ about: source.name })}
              >
                <span>{source.name}</span>
                <span className="muted truncate">{source.label}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  )
}
