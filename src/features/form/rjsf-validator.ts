/**
 * Our browser validator behind RJSF's interface. The form validates drafts with `problemsOf`; this serves RJSF's own
 * calls.
 */
import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils'
import type { Json } from '../../../core/json/json.ts'
import { pointerSegments } from '../../../core/json/pointer.ts'
import { createSchemaValidator } from '../../../core/validation/schema-validator.ts'

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

export const rjsfValidator: ValidatorType = {
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
