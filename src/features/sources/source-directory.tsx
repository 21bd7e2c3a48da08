import { useId, useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import inputStyles from '../../ui/input.module.css'

/** Where the tools of a source run, and the way to choose another directory; nothing where there is no such choice. */
export function SourceDirectory({ source }: { readonly source: SourceState }) {
  const { name, directory } = source
  const backend = useBackend()
  const id = useId()
  // Absent while the field shows what counts.
  const [entered, setEntered] = useState<string>()
  const setting = useSourceChange((path: string) =>
    backend.request('PUT /api/sources/{name}/directory', { params: { name }, body: { directory: path } }),
  )
  const set = (path: string) => setting.mutate(path, { onSuccess: () => setEntered(undefined) })
  const refused = useRefusal('PUT /api/sources/{name}/directory')
  if (directory === undefined || !backend.has('PUT /api/sources/{name}/directory')) return null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        set(entered ?? directory)
      }}
    >
      <label htmlFor={id}>Tools run in</label>
      <div className="row">
        <input
          id={id}
          className={inputStyles.input}
          value={entered ?? directory}
          onChange={event => setEntered(event.target.value)}
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
          maxLength={4_096}
        />
        <Button
          type="submit"
          disabled={setting.isPending || entered === undefined || entered === directory}
          refused={refused}
        >
          Set
        </Button>
        <Button onClick={() => set('')} disabled={setting.isPending} refused={refused}>
          Reset
        </Button>
      </div>
      <p id={`${id}-help`} className="note">
        For all calls until Toolscope ends. “Reset” takes the directory of toolscope.json, or else the one
        Toolscope was started in.
      </p>
      <ErrorNote error={setting.error} />
    </form>
  )
}
