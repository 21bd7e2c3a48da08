import { Check, Copy } from 'lucide-react'
import type { SourceState } from '../../core/api/sources.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { useSources } from '../api/use-sources.ts'
import { Button } from '../ui/button.tsx'
import { useCopy } from '../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { join } from '../ui/join.ts'
import { commonTexts } from '../ui/texts.ts'

interface ExportDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Shows the command that exports these sources, because the page cannot write files. */
export function ExportDialog({ open, onOpenChange }: ExportDialogProps) {
  const { data: sources = [] } = useSources()
  const [copied, copy] = useCopy()
  const command = exportCommand(sources)
  const missing = sources.flatMap(source => {
    const reason = whyMissing(source)
    return reason === undefined ? [] : [`${source.name} (${reason})`]
  })
  return (
    <Dialog open={open} title="Export as a static site" onOpenChange={onOpenChange}>
      <p>Run this in the folder where Toolscope was started:</p>
      <pre className={join('box', 'mono')}>{command}</pre>
      {missing.length > 0 && <p className="note">Not in the command: {missing.join(', ')}.</p>}
      <p className="note">
        It writes tools, schemas, help and versions as plain files to the folder site. Calls, inputs, examples
        and history are left out.
      </p>
      <DialogActions>
        <Button look="primary" onClick={() => copy(command)}>
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} Copy the command
        </Button>
        <span className="visually-hidden" aria-live="polite">
          {copied ? commonTexts.copied : ''}
        </span>
      </DialogActions>
    </Dialog>
  )
}

/** Returns why an export cannot include the source. Its argument is its name if toolscope.json names it. */
function whyMissing({ status, argument }: SourceState): string | undefined {
  if (status === 'failed') return 'it failed'
  if (argument === undefined) return 'save it to toolscope.json first'
  return argument.includes('•••') ? 'its address or command holds a secret' : undefined
}

/** Returns the `toolscope export` command for all sources that a command line can name. */
function exportCommand(sources: readonly SourceState[]): string {
  const named = sources.filter(source => whyMissing(source) === undefined)
  const names = new Set(named.map(({ argument = '' }) => argument))
  const config = named.find(({ name, argument, origin }) => origin?.from === 'file' && argument === name)
  const options = config?.origin?.file === undefined ? [] : ['--config', config.origin.file]
  return formatShellCommand(['toolscope', 'export', ...names, ...options, '-o', 'site'])
}
