import type { WidgetProps } from '@rjsf/utils'

/** Returns the attributes of every control. */
export function pickControlAttributes(props: WidgetProps) {
  return {
    id: props.id,
    'aria-labelledby': props['aria-labelledby'],
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': props['aria-invalid'],
    'aria-required': props.required || undefined,
  }
}

/** Returns the attributes of a text control. An empty control means an absent value. */
export function textAttributes(props: WidgetProps) {
  const { value, onChange, onBlur, onFocus, id, placeholder, readonly } = props
  return {
    ...pickControlAttributes(props),
    value: value === undefined ? '' : String(value),
    placeholder: placeholder || undefined,
    readOnly: readonly,
    onBlur: () => onBlur(id, value),
    onFocus: () => onFocus(id, value),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value === '' ? undefined : target.value),
  }
}
