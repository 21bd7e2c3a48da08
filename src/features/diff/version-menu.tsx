import { useQueries } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import type { Version } from '../../../core/api/versions.ts'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { formatTime } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLabel, MenuRule } from '../../ui/menu.tsx'

/** Sources, and versions of each, that are listed; others can be typed. */
const maxSources = 12
const maxVersions = 8

interface VersionMenuProps {
  /** `Before` or `After`. */
  readonly side: string
  readonly onPick: (reference: string) => void
  readonly onFiles: ((files: readonly File[]) => Promise<void>) | undefined
}

/** What a side can be: the open sources and their versions by their times, or a file of the user's. */
export function VersionMenu({ side, onPick, onFiles }: VersionMenuProps) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu trigger={<IconButton icon={ChevronDown} label={`Choose ${side.toLowerCase()}`} />}>
        <Versions onPick={onPick} />
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
            void onFiles([...(target.files ?? [])])
            // The same file can be chosen again after it was edited.
            target.value = ''
          }}
        />
      )}
    </>
  )
}

/** Asked for while the menu is open. */
function Versions({ onPick }: { readonly onPick: (reference: string) => void }) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const listed = sources.slice(0, maxSources)
  const versions = useQueries({
    queries: listed.map(({ name }) => versionsQuery(backend, name, maxVersions)),
    combine: answers => answers.map(({ data }) => data?.versions ?? []),
  })
  return listed.map(({ name, label }, at) => (
    <div key={name}>
      <MenuLabel>{label === name ? name : `${name} · ${label.slice(-40)}`}</MenuLabel>
      {choicesOf(name, versions[at] ?? []).map(({ reference, text }) => (
        <MenuItem key={reference} onSelect={() => onPick(reference)}>
          {text}
        </MenuItem>
      ))}
    </div>
  ))
}

/** `acme, now`, `acme, before 14:02:11`, then `acme@3, 12 Mar 09:30:00`: newest first. */
function choicesOf(
  source: string,
  versions: readonly Version[],
): readonly { readonly reference: string; readonly text: string }[] {
  const [newest, ...older] = versions
  const isOpen = newest?.current === true
  const rest = isOpen ? older : versions
  const when = ({ time }: Version) => formatTime(time, new Date())
  return [
    { reference: source, text: `${source}, now` },
    ...rest.map((version, at) => {
      const about = [version.subject, ...version.labels].filter(Boolean).join(' · ')
      const name =
        isOpen && at === 0 && version.kind === 'snapshot'
          ? `${source}, before ${when(newest)}`
          : `${version.name}, ${when(version)}`
      return { reference: version.reference, text: about === '' ? name : `${name} · ${about}` }
    }),
  ]
}
