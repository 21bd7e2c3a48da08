import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import inputStyles from '../../ui/input.module.css'

/** One line that is opened as a source, as on the command line. Nothing shows where sources cannot be opened. */
export function AddSourceForm({ onOpened }: { readonly onOpened: (source: SourceState) => void }) {
  const backend = useBackend()
  const client = useQueryClient()
  const id = useId()
  const [input, setInput] = useState('')
  const opening = useMutation({
    mutationFn: (text: string) => backend.request('POST /api/sources', { body: { input: text } }),
    onSuccess: async source => {
      await invalidate(client, 'catalog')
      setInput('')
      onOpened(source)
    },
  })
  const refused = useRefusal('POST /api/sources')
  if (!backend.has('POST /api/sources')) return null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (input.trim()) opening.mutate(input.trim())
      }}
    >
      <label htmlFor={id}>Program, directory, file or address</label>
      <div className="row">
        <input
          id={id}
          className={inputStyles.input}
          value={input}
          onChange={event => setInput(event.target.value)}
          placeholder="node tools.mjs"
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
          maxLength={10_000}
        />
        <Button look="primary" type="submit" disabled={opening.isPending} refused={refused}>
          {opening.isPending ? 'Opening…' : 'Open'}
        </Button>
      </div>
      <p id={`${id}-help`} className="note">
        A command that answers <code>--llms</code>, an llm-functions directory, an mcp.json or a manifest, the
        address of a bridge or an MCP server, or <code>mcp:</code> and a server's command. Programs and
        servers are started to ask for their tools.
      </p>
      <ErrorNote error={opening.error} />
    </form>
  )
}

interface AddSourceDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onOpened: (source: SourceState) => void
}

export function AddSourceDialog({ open, onOpenChange, onOpened }: AddSourceDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Add a source">
      <AddSourceForm
        onOpened={source => {
          onOpenChange(false)
          onOpened(source)
        }}
      />
    </Dialog>
  )
}
