import type { FormProperty } from '../../../../core/form/form-node.ts'
import { isObject } from '../../../../core/json/json.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { QuietButton } from './buttons.tsx'
import { Combobox } from './combobox.tsx'
import { textOf } from './node-status.ts'

interface OptionalButtonsProps {
  readonly hidden: readonly FormProperty[]
  readonly label: string
  readonly onOpen: (property: FormProperty) => void
}

/** More buttons than this become a search field. */
const maxButtons = 16

/** The optional fields that are not shown: a button each, or a search when there are many. */
export function OptionalButtons({ hidden, label, onOpen }: OptionalButtonsProps) {
  const count = `${hidden.length} more optional ${hidden.length === 1 ? 'field' : 'fields'}:`
  if (hidden.length > maxButtons)
    return (
      <div className={join('row wrap', styles.buttonRow)} data-more-fields>
        <span className="faint">{count}</span>
        <Combobox
          inputProps={{ id: `f-add-${label.replace(/\W/g, '_')}`, 'aria-label': `Add a field to ${label}` }}
          options={hidden.map(property => ({ label: property.name, ...about(property) }))}
          text=""
          placeholder="add a field by name"
          onPick={index => {
            const property = hidden[index]
            if (property) onOpen(property)
          }}
        />
      </div>
    )
  return (
    <div className={join('row wrap', styles.buttonRow)}>
      <span className="faint">{count}</span>
      {hidden.map(property => (
        <QuietButton
          key={property.name}
          className={styles.mono}
          data-add={property.name}
          title={about(property).description}
          onClick={() => onOpen(property)}
        >
          + {property.name}
        </QuietButton>
      ))}
    </div>
  )
}

function about({ schema }: FormProperty): { description?: string } {
  const text = isObject(schema) ? textOf(schema.description) : undefined
  return text === undefined ? {} : { description: text.slice(0, 120) }
}
