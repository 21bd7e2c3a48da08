import { type FormProps, withTheme } from '@rjsf/core'
import type {
  ErrorSchema,
  RJSFSchema,
  RJSFValidationError,
  UiSchema,
  ValidationData,
  ValidatorType,
} from '@rjsf/utils'
import { type ComponentProps, memo, useMemo } from 'react'
import { type FormPlanner, formPlannerOf } from '../../../core/form/form-schema.ts'
import type { Json } from '../../../core/json/json.ts'
import { pointerSegments } from '../../../core/json/pointer.ts'
import { secretFieldsOf } from '../../../core/tool/is-secret.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createSchemaValidator } from '../../../core/validation/schema-validator.ts'
import { join } from '../../ui/join.ts'
import type { DraftStore } from './draft-store.ts'
import { theme } from './fields/theme.ts'
import styles from './form.module.css'
import type { FormFocus } from './form-focus.ts'
import { type FormScope, FormScopeContext, useFormScope } from './form-scope.ts'

/*
 * Our browser validator behind RJSF's interface. The form validates drafts with `problemsOf`; this serves RJSF's own
 * calls.
 */

function errorsOf(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  if (formData === undefined) return []
  return createSchemaValidator(schema)(formData as Json).issues.map(issue => ({
    name: issue.keyword,
    property: pointerSegments(issue.path).join('.'),
    message: issue.message,
    stack: `${issue.path} ${issue.message}`.trim(),
    params: {},
    schemaPath: '',
  }))
}

const rjsfValidator: ValidatorType = {
  validateFormData(formData: unknown, schema: RJSFSchema): ValidationData<unknown> {
    return { errors: errorsOf(schema, formData), errorSchema: {} as ErrorSchema<unknown> }
  },
  isValid(schema: RJSFSchema, formData: unknown) {
    return errorsOf(schema, formData).length === 0
  },
  rawValidation<Result>(schema: RJSFSchema, formData: unknown) {
    return { errors: errorsOf(schema, formData) as Result[] }
  },
}

interface FormTabProps {
  readonly schema: JsonSchema
  readonly store: DraftStore
  readonly focus: FormFocus
  readonly idPrefix: string
  readonly label: string
  /** How the fields are drawn, by RJSF's rules. */
  readonly uiSchema?: UiSchema | undefined
}

const ThemedForm = withTheme(theme)

/** The form of one schema over one draft. The page's text and issues reach it through the draft's store alone. */
export const FormTab = memo(function FormTab(props: FormTabProps) {
  const { schema, store, focus, idPrefix, label, uiSchema = {} } = props
  const planner = useMemo(() => formPlannerOf(schema), [schema])
  const scope = useMemo<FormScope>(
    () => ({
      store,
      focus,
      planner,
      secrets: secretFieldsOf(schema),
      idPrefix,
      label,
      onChange: (value, path) => store.set(path, value),
    }),
    [store, focus, planner, schema, idPrefix, label],
  )
  return (
    <FormScopeContext value={scope}>
      <ThemedForm {...settings} schema={rootLevel(planner)} uiSchema={uiSchema} idPrefix={idPrefix}>
        {/* Calling is the page's business: something in place of RJSF's own submit button. */}
        {true}
      </ThemedForm>
    </FormScopeContext>
  )
})

/**
 * The input's own level, prepared by the planner. Below it, each field gets its schema as it is drawn: RJSF's form
 * walks what it is given to the end, a recursive or doubling schema without end (decisions/042).
 */
function rootLevel(planner: FormPlanner): RJSFSchema {
  const { title, description } = planner.plan(planner.root).schema
  return {
    type: 'object',
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  }
}

/** The validator's worker validates, the draft's store holds the data: RJSF's form does neither. */
const settings = {
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
} satisfies Omit<FormProps, 'schema'>

/** Enter in a field must not send anything, and RJSF must not hear of it. Fields inherit the attributes of the form. */
function Shell({ children, className }: ComponentProps<'form'>) {
  const { label } = useFormScope()
  return (
    <form
      data-testid={label === 'Input' ? 'tool-form' : 'question-form'}
      aria-label={label}
      className={join(styles.form, className)}
      noValidate
      autoComplete="off"
      spellCheck={false}
      onSubmit={event => event.preventDefault()}
    >
      {children}
    </form>
  )
}
