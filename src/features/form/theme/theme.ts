/** Our theme for @rjsf/core: the fields that decide, the templates and widgets that draw. */
import type { FormProps } from '@rjsf/core'
import { AnyField } from '../fields/any-field.tsx'
import { ArrayField } from '../fields/array-field.tsx'
import { ObjectField } from '../fields/object-field.tsx'
import { RootField } from '../fields/root-field.tsx'
import { ScalarField } from '../fields/scalar-field.tsx'
import { UnionField } from '../fields/union-field.tsx'
import { FieldFrame } from './templates/field-frame.tsx'
import { BinaryWidget } from './widgets/binary-widget.tsx'
import { ChoiceWidget, ConstWidget } from './widgets/choice-widgets.tsx'
import { MomentWidget } from './widgets/moment-widget.tsx'
import { ColorWidget, NumberWidget, SecretWidget, TextWidget, UuidWidget } from './widgets/text-widgets.tsx'

/**
 * RJSF's own SchemaField hands every keystroke through the whole form, takes null for absent and follows references
 * without end, so ours stands in its place. Widgets take our `ControlProps`, which RJSF's types cannot name.
 */
export const theme = {
  fields: { SchemaField: RootField, ObjectField, ArrayField, UnionField, AnyField, ScalarField },
  templates: { FieldTemplate: FieldFrame },
  widgets: {
    TextWidget,
    SecretWidget,
    NumberWidget,
    ChoiceWidget,
    MomentWidget,
    ColorWidget,
    BinaryWidget,
    UuidWidget,
    ConstWidget,
  },
  // RJSF's widget type has RJSF's props.
} as unknown as Pick<FormProps, 'fields' | 'templates' | 'widgets'>
