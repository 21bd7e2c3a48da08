import Form from '@rjsf/core'
import type { RJSFSchema } from '@rjsf/utils'
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

/** What RJSF itself is told: the level that our own root field draws is ours to read, and nothing is filled in. */
const shell: RJSFSchema = { type: 'object' }
const keepAsIs = {
  emptyObjectFields: 'skipDefaults',
  allOf: 'skipDefaults',
  constAsDefaults: 'never',
  arrayMinItems: { populate: 'never' },
  mergeDefaultsIntoFormData: 'useFormDataIfPresent',
  requiredBooleanDefault: 'skip',
} satisfies ComponentProps<typeof Form>['experimental_defaultFormStateBehavior']

/** The form of one schema over one draft. The page's text and issues reach it through the draft's store alone. */
export const FormTab = memo(function FormTab({ schema, store, idPrefix }: FormTabProps) {
  const planner = useMemo(() => createFormPlanner(schema), [schema])
  const formContext = useMemo(
    () => ({ store, planner, secrets: secretFieldsOf(schema), idPrefix }),
    [store, planner, schema, idPrefix],
  )
  return (
    <Form
      {...theme}
      schema={shell}
      validator={rjsfValidator}
      formContext={formContext}
      idPrefix={idPrefix}
      tagName={Shell}
      noValidate
      noHtml5Validate
      showErrorList={false}
      experimental_defaultFormStateBehavior={keepAsIs}
    >
      {/* Calling is the page's business: something in place of RJSF's own submit button. */}
      {true}
    </Form>
  )
})

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
