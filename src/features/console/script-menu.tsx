import { ChevronDown } from 'lucide-react'
import type { ScriptList } from '../../../core/api/scripts.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuRule } from '../../ui/menu.tsx'
import { exampleScripts } from './example-scripts.ts'

interface ScriptMenuProps {
  readonly names: ReadonlySet<string>
  readonly list: ScriptList
  /** The saved script that is open. */
  readonly current: string | undefined
  readonly onOpen: (text: string, name: string | undefined) => void
  readonly onDelete: (name: string) => void
  /** Why nothing can be deleted. */
  readonly refused: string | undefined
  readonly onDownload: () => void
}

/** Saved scripts and examples to open. */
export function ScriptMenu({ names, list, current, refused, onOpen, onDelete, onDownload }: ScriptMenuProps) {
  const examples = exampleScripts.filter(({ needs }) => needs.every(name => names.has(name)))
  return (
    <Menu
      trigger={
        <Button look="quiet">
          Scripts <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {list.scripts.length > 0 && <MenuLabel>{list.folder ?? 'Saved in this browser'}</MenuLabel>}
      {list.scripts.map(({ name, text }) => (
        <MenuItem key={name} onSelect={() => onOpen(text, name)}>
          {name}.sh
        </MenuItem>
      ))}
      {list.scripts.length > 0 && <MenuRule />}
      <MenuLabel>Examples</MenuLabel>
      {examples.map(({ title, text }) => (
        <MenuItem key={title} onSelect={() => onOpen(text, undefined)}>
          {title}
        </MenuItem>
      ))}
      <MenuRule />
      <MenuItem onSelect={onDownload}>Download as a file</MenuItem>
      {current !== undefined && (
        <MenuItem refused={refused} onSelect={() => onDelete(current)}>
          Delete {current}.sh
        </MenuItem>
      )}
    </Menu>
  )
}
