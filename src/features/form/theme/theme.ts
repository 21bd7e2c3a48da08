/** Our theme for @rjsf/core: the fields that decide, the templates and widgets that draw. RJSF's own widgets stay beside. */
import type { ThemeProps } from '@rjsf/core'
import { AnyField } from '../fields/any-field.tsx'
import { ArrayField } from '../fields/array-field.tsx'
import { ObjectField } from '../fields/object-field.tsx'
import { ScalarField } from '../fields/scalar-field.tsx'
import { SchemaField } from '../fields/schema-field.tsx'
import { UnionField } from '../fields/union-field.tsx'
import { FieldDescription, FieldErrors, FieldFrame, FieldHelp } from './templates/field-frame.tsx'
import { BinaryWidget } from './widgets/binary-widget.tsx'
import { ChecklistWidget, ChoiceWidget, ConstWidget } from './widgets/choice-widgets.tsx'
import { MomentWidget } from './widgets/moment-widget.tsx'
import { ColorWidget, NumberWidget, SecretWidget, TextWidget, UuidWidget } from './widgets/text-widgets.tsx'

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
