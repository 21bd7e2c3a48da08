import type { FieldPathList, FieldProps, UiSchema } from '@rjsf/utils'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { fieldPathId, useFormScope } from '../form-scope.ts'
import { asRjsf, type Holder } from './field-location.ts'

interface ChildFieldProps extends Holder {
  /** The field of the object or list that contains this one. */
  readonly holder: FieldProps
  readonly schema: JsonSchema
  readonly uiSchema: UiSchema
  readonly path: FieldPathList
  readonly name: string
  readonly required?: boolean
}

/** The field of a part: the registry's SchemaField with RJSF's props. */
export function ChildField({ holder, schema, path, required = false, ...rest }: ChildFieldProps) {
  const { idPrefix, onChange } = useFormScope()
  const { registry, readonly = false, onBlur, onFocus } = holder
  const SchemaField = registry.fields.SchemaField
  if (!SchemaField) throw new Error('The theme has no SchemaField')
  return (
    <SchemaField
      {...rest}
      schema={asRjsf(schema)}
      fieldPathId={fieldPathId(idPrefix, path)}
      required={required}
      readonly={readonly}
      registry={registry}
      onChange={onChange}
      onBlur={onBlur}
      onFocus={onFocus}
    />
  )
}
