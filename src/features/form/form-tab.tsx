import Form, { type FormProps } from '@rjsf/core'
import { type ComponentProps, memo, useMemo } from 'react'
import { createFormPlanner } from '../../../core/form/form-schema.ts'
import { secretFieldsOf } from '../../../core/secrets/is-secret.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { join } from '../../ui/join.ts'
import type { DraftStore } from './draft-store.ts'
import styles from './form.module.css'
import { rjsfValidator } from './rjsf-validator.ts'
import { theme } from './theme/theme.ts'

interface FormTabProps {
  readonly schema: JsonSchema
  readonly store: DraftStore
  readonly idPrefix: string
}

/** The form of one schema over one draft. The page's text and issues reach it through the draft's store alone. */
export const FormTab = memo(function FormTab({ schema, store, idPrefix }: FormTabProps) {
  const planner = useMemo(() => createFormPlanner(schema), [schema])
  const formContext = useMemo(
    () => ({ store, planner, secrets: secretFieldsOf(schema), idPrefix }),
    [store, planner, schema, idPrefix],
  )
  return (
    <Form {...settings} formContext={formContext} idPrefix={idPrefix}>
      {/* Calling is the page's business: something in place of RJSF's own submit button. */}
      {true}
    </Form>
  )
})

/** RJSF sees one object: our own root field reads the schema. It validates nothing and fills nothing in. */
const settings = {
  ...theme,
  schema: { type: 'object' },
  validator: rjsfValidator,
  tagName: Shell,
  noValidate: true,
  noHtml5Validate: true,
  showErrorList: false,
  experimental_defaultFormStateBehavior: {
    emptyObjectFields: 'skipDefaults',
    allOf: 'skipDefaults',
    constAsDefaults: 'never',
    arrayMinItems: { populate: 'never' },
    mergeDefaultsIntoFormData: 'useFormDataIfPresent',
    requiredBooleanDefault: 'skip',
  },
} satisfies FormProps

/** Enter in a field must not send anything, and RJSF must not hear of it. */
function Shell({ children, className }: ComponentProps<'form'>) {
  return (
    <form
      data-testid="tool-form"
      aria-label="Input"
      className={join(styles.form, className)}
      noValidate
      onSubmit={event => event.preventDefault()}
    >
      {children}
    </form>
  )
}
