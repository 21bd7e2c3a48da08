import { Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { Loading } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem, MenuRule } from '../../ui/menu.tsx'
import { SaveToConfig } from './save-to-config.tsx'
import { EditSourceDialog } from './source-dialogs.tsx'
import { sourceWords } from './source-status.ts'
import { texts } from './texts.ts'
import type { SourceAct } from './use-source-actions.ts'

/** Loaded when it is opened. */
export const SourceLog = lazy(async () => ({ default: (await import('./source-log.tsx')).SourceLog }))

interface SourceMenuProps {
  readonly source: SourceState
  readonly actions: SourceAct
  /** Set on the page of the source, which shows the other actions as buttons. */
  readonly settingsOnly?: boolean
  readonly onRenamed?: (name: string) => void
}

/** All actions for a source, under a button of three dots. */
export function SourceMenu({ source, actions, settingsOnly = false, onRenamed }: SourceMenuProps) {
  const [open, setOpen] = useState<'edit' | 'log' | 'save'>()
  const { name, status, trusted } = source
  const { act, remove, refused } = actions
  if (!actions.isOffered) return null
  const words = sourceWords(source.kind)
  const isRunning = status !== 'stopped' && status !== 'failed'
  const fixed = refused ?? whereToEdit(source)
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${name}`} />}>
        {!settingsOnly && (
          <>
            <MenuItem
              onSelect={() => act('restart')}
              refused={refused ?? (trusted === false ? 'Trust it first.' : undefined)}
            >
              {isRunning ? words.restart : words.start}
            </MenuItem>
            {isRunning && (
              <MenuItem onSelect={() => act('stop')} refused={refused}>
                {words.stop}
              </MenuItem>
            )}
            {source.hasLog && <MenuItem onSelect={() => setOpen('log')}>{texts.log}</MenuItem>}
            <MenuRule />
          </>
        )}
        <MenuItem onSelect={() => setOpen('edit')} refused={fixed}>
          Edit or rename…
        </MenuItem>
        <MenuItem onSelect={() => setOpen('save')} refused={fixed}>
          Save to toolscope.json…
        </MenuItem>
        {!settingsOnly && (
          <MenuItem onSelect={() => remove()} refused={refused}>
            {texts.remove}
          </MenuItem>
        )}
      </Menu>
      {open === 'edit' && (
        <EditSourceDialog name={name} onClose={close} onSaved={next => onRenamed?.(next)} />
      )}
      {open === 'save' && (
        <Dialog open wide title={texts.saveToConfig} onOpenChange={close}>
          <SaveToConfig name={name} onClose={close} />
        </Dialog>
      )}
      {open === 'log' && (
        <Dialog open wide title={`Log of ${name}`} onOpenChange={close}>
          <Suspense fallback={<Loading />}>
            <SourceLog source={source} />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

/** Returns why the page cannot change a source; undefined if it can. */
function whereToEdit({ origin }: SourceState): string | undefined {
  if (origin?.from === 'page') return undefined
  return origin?.file === undefined
    ? 'It is from the command line: change it there.'
    : `It is from ${origin.file}: change it there.`
}
