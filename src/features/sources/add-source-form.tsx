import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { toAppError } from '../../../core/errors.ts'
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
          onChange={event => {
            setInput(event.target.value)
            opening.reset()
          }}
          placeholder="npx -y @modelcontextprotocol/server-everything"
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
          maxLength={10_000}
        />
        <Button look="primary" type="submit" disabled={opening.isPending} refused={refused}>
          {opening.isPending ? 'Opening…' : opening.isError ? 'Try again' : 'Open'}
        </Button>
      </div>
      <p id={`${id}-help`} className="note">
        The command of an MCP server or of a program that answers <code>--llms</code>, the address of an MCP
        server or a bridge, an llm-functions directory, an mcp.json or a manifest. Programs and servers are
        started to ask for their tools.
      </p>
      {opening.isError && (
        <ErrorNote error={opening.error} title={`Not added. ${toAppError(opening.error).toShape().title}`} />
      )}
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
