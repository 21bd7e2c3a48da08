import { ariaOf, type KindProps } from '../control-props.ts'

/** A UUID as text, or a fresh random one. */
export function UuidWidget(props: KindProps<'string'>) {
  const { label, value, onChange, placeholder } = props
  return (
    <span className="f-joined">
      <input
        {...ariaOf(props)}
        className="f-in f-mono"
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={typeof value === 'string' ? value : ''}
        placeholder={placeholder}
        onChange={event => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
      <button
        type="button"
        className="f-btn"
        aria-label={`New UUID for ${label}`}
        onClick={() => onChange(crypto.randomUUID())}
      >
        New
      </button>
    </span>
  )
}
