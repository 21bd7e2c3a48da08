import { useState } from 'react'
import { defaultScriptLimits } from '../../../core/script/protocol.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './console.module.css'
import { currentLimits, type LimitField, limitFields, setLimits } from './script-limits.ts'

type Typed = Readonly<Record<LimitField['name'], string>>

const toTypedLimits = (limits: Readonly<Record<LimitField['name'], number>>): Typed => {
  const entries = limitFields.map(({ name, factor }) => [name, String(limits[name] / factor)] as const)
  return Object.fromEntries(entries) as Typed
}

/** Returns why the text is not a valid limit; undefined if it is valid. */
function findLimitProblem({ max }: LimitField, text: string): string | undefined {
  const value = Number(text)
  const fits = text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= max
  return fits ? undefined : `Enter a whole number from 1 to ${formatCount(max)}.`
}

/** Asks for the limits of later runs. */
export function LimitsDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState(() => toTypedLimits(currentLimits()))
  const isWrong = limitFields.some(field => findLimitProblem(field, typed[field.name]) !== undefined)
  return (
    <Dialog open onOpenChange={onClose} title="Limits of scripts">
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (isWrong) return
          setLimits(
            Object.fromEntries(limitFields.map(({ name, factor }) => [name, Number(typed[name]) * factor])),
          )
          onClose()
        }}
      >
        {limitFields.map(field => {
          const problem = findLimitProblem(field, typed[field.name])
          return (
            <div key={field.name} className={styles.field}>
              <label htmlFor={`limit-${field.name}`}>{field.label}</label>
              <input
                id={`limit-${field.name}`}
                className="text-field"
                type="number"
                min={1}
                max={field.max}
                value={typed[field.name]}
                onChange={({ target }) => setTyped({ ...typed, [field.name]: target.value })}
                aria-invalid={problem !== undefined}
                aria-describedby={`limit-${field.name}-note`}
              />
              <span id={`limit-${field.name}-note`} className="note">
                {problem ?? `${formatCount(defaultScriptLimits[field.name] / field.factor)} unless set`}
              </span>
            </div>
          )
        })}
        <DialogActions>
          <Button look="quiet" onClick={() => setTyped(toTypedLimits(defaultScriptLimits))}>
            Defaults
          </Button>
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button type="submit" look="primary" disabled={isWrong}>
            Set limits
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
