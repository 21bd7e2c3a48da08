/** Our theme for @rjsf/core: its fields, templates and widgets. RJSF's own widgets stay available. */
import type { ThemeProps } from '@rjsf/core'
import { AnyField } from './any-field.tsx'
import { ArrayField } from './array-field.tsx'
import { BinaryWidget } from './binary-widget.tsx'
import { ChecklistWidget, ChoiceWidget, ConstWidget } from './choice-widgets.tsx'
import { FieldDescription, FieldErrors, FieldFrame, FieldHelp } from './field-frame.tsx'
import { MomentWidget } from './moment-widget.tsx'
import { ObjectField } from './object-field.tsx'
import { ScalarField } from './scalar-field.tsx'
import { SchemaField } from './schema-field.tsx'
import { ColorWidget, NumberWidget, SecretWidget, TextWidget, UuidWidget } from './text-widgets.tsx'
import { UnionField } from './union-field.tsx'

export const theme: ThemeProps = {
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
