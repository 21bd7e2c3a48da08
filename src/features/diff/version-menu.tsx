import { useQueries } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLabel, MenuRule } from '../../ui/menu.tsx'
import { choicesOf, maxVersions, withOwnFirst } from './version-choices.ts'

/** Sources that are listed; others can be typed. */
const maxSources = 12

interface VersionMenuProps {
  /** `Before` or `After`. */
  readonly side: string
  /** The reference of the other side, or nothing. */
  readonly other: string
  readonly onPick: (reference: string) => void
  readonly onFiles: ((files: readonly File[]) => void) | undefined
}

/** What a side can be: the sources and their versions by their times, or a file of the user's. */
export function VersionMenu({ side, other, onPick, onFiles }: VersionMenuProps) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu trigger={<IconButton icon={ChevronDown} label={`Choose ${side.toLowerCase()}`} />}>
        <Versions other={other} onPick={onPick} />
        {onFiles && (
          <>
            <MenuRule />
            <MenuItem onSelect={() => file.current?.click()}>Choose a file…</MenuItem>
          </>
        )}
      </Menu>
      {onFiles && (
        <input
          ref={file}
          type="file"
          hidden
          multiple
          aria-label={`File for ${side.toLowerCase()}`}
          accept=".json,application/json"
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])])
            // The same file can be chosen again after it was edited.
            target.value = ''
          }}
        />
      )}
    </>
  )
}

/** Asked for while the menu is open. */
function Versions({ other, onPick }: Pick<VersionMenuProps, 'other' | 'onPick'>) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const listed = withOwnFirst(sources, other).slice(0, maxSources)
  const versions = useQueries({
    queries: listed.map(({ name }) => versionsQuery(backend, name, maxVersions)),
    combine: answers => answers.map(({ data }) => data?.versions ?? []),
  })
  return listed.map((source, at) => (
    <div key={source.name}>
      <MenuLabel>{titleOf(source)}</MenuLabel>
      {choicesOf(source, versions[at] ?? [], other).map(({ reference, text }) => (
        <MenuItem key={reference} onSelect={() => onPick(reference)}>
          {text}
        </MenuItem>
      ))}
    </div>
  ))
}

const titleOf = ({ name, label }: SourceState) => (label === name ? name : `${name} · ${label.slice(-40)}`)
