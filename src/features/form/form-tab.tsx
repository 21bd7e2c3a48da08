import { type FormProps, type ThemeProps, withTheme } from '@rjsf/core'
import type {
  ErrorSchema,
  RJSFSchema,
  RJSFValidationError,
  UiSchema,
  ValidationData,
  ValidatorType,
} from '@rjsf/utils'
import { type ComponentProps, memo, useMemo } from 'react'
import { type FormPlanner, getFormPlanner } from '../../../core/form/form-schema.ts'
import type { Json } from '../../../core/json/json.ts'
import { pointerSegments } from '../../../core/json/pointer.ts'
import { findSecretFields } from '../../../core/tool/is-secret.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createSchemaValidator } from '../../../core/validation/schema-validator.ts'
import { join } from '../../ui/join.ts'
import type { DraftStore } from './draft-store.ts'
import { ArrayField } from './fields/array-field.tsx'
import { ChecklistWidget, ChoiceWidget, ConstWidget } from './fields/choice-widgets.tsx'
import { FieldDescription, FieldErrors, FieldFrame, FieldHelp } from './fields/field-frame.tsx'
import { AnyField } from './fields/node-control.tsx'
import { ObjectField } from './fields/object-field.tsx'
import { ScalarField } from './fields/scalar-field.tsx'
import { SchemaField } from './fields/schema-field.tsx'
import {
  BinaryWidget,
  ColorWidget,
  MomentWidget,
  NumberWidget,
  SecretWidget,
  TextWidget,
  UuidWidget,
} from './fields/text-widgets.tsx'
import { UnionField } from './fields/union-field.tsx'
import styles from './form.module.css'
import type { FormFocus } from './form-focus.ts'
import { type FormScope, FormScopeContext, useFormScope } from './form-scope.ts'

/** Our theme for @rjsf/core: its fields, templates and widgets. RJSF's own widgets stay available. */
const theme: ThemeProps = {
  fields: { SchemaField, ObjectField, ArrayField, UnionField, AnyField, ScalarField },
  templates: {
    FieldTemplate: FieldFrame,
    DescriptionFieldTemplate: FieldDescription,
    FieldErrorTemplate: FieldErrors,
    FieldHelpTemplate: FieldHelp,
  },
  widgets: {
    TextWidget,
    PasswordWidget: SecretWidget,
    NumberWidget,
    ChoiceWidget,
    ChecklistWidget,
    MomentWidget,
    ColorWidget,
    BinaryWidget,
    UuidWidget,
    ConstWidget,
  },
}

/*
 * Implements RJSF's validator interface with our browser validator, for RJSF's own calls. The form validates drafts
 * with `findDraftIssues`.
 */

function listRjsfErrors(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
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
    return { errors: listRjsfErrors(schema, formData), errorSchema: {} as ErrorSchema<unknown> }
  },
  isValid(schema: RJSFSchema, formData: unknown) {
    return listRjsfErrors(schema, formData).length === 0
  },
  rawValidation<Result>(schema: RJSFSchema, formData: unknown) {
    return { errors: listRjsfErrors(schema, formData) as Result[] }
  },
}

interface FormTabProps {
  readonly schema: JsonSchema
  readonly store: DraftStore
  readonly focus: FormFocus
  readonly idPrefix: string
  readonly label: string
  /** Configures the fields, in RJSF's format. */
  readonly uiSchema?: UiSchema | undefined
}

const ThemedForm = withTheme(theme)

/** The form of one schema over one draft. It receives the page's text and issues only through the draft's store. */
export const FormTab = memo(function FormTab(props: FormTabProps) {
  const { schema, store, focus, idPrefix, label, uiSchema = {} } = props
  const planner = useMemo(() => getFormPlanner(schema), [schema])
  const scope = useMemo<FormScope>(
    () => ({
      store,
      focus,
      planner,
      secrets: findSecretFields(schema),
      idPrefix,
      label,
      onChange: (value, path) => store.set(path, value),
    }),
    [store, focus, planner, schema, idPrefix, label],
  )
  return (
    <FormScopeContext value={scope}>
      <ThemedForm {...settings} schema={rootLevel(planner)} uiSchema={uiSchema} idPrefix={idPrefix}>
        {/* Any child replaces RJSF's own submit button: the page starts the call. */}
        {true}
      </ThemedForm>
    </FormScopeContext>
  )
})

/**
 * Returns the schema of the root level. Each field plans its own schema when it is drawn: RJSF's form walks the whole
 * schema that it gets, and a recursive or doubling schema has no end (decisions/042).
 */
function rootLevel(planner: FormPlanner): RJSFSchema {
  const { title, description } = planner.plan(planner.root).schema
  return {
    type: 'object',
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  }
}

/** RJSF's form neither validates nor holds data: the validator's worker and the draft's store do. */
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

/** Enter in a field must not submit the form or reach RJSF. Fields inherit the attributes of the form. */
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
