import { isDataIcon, readIcons } from '../../core/tool/icons.ts'

/** The icons of a source: data URLs as pictures, other addresses as text. Nothing is fetched. */
export function Icons({ icons, of }: { readonly icons: unknown; readonly of: string }) {
  const all = readIcons(icons)
  const remote = all.filter(icon => !isDataIcon(icon))
  return (
    <>
      {all.filter(isDataIcon).map(({ src }) => (
        <img key={src} src={src} alt={`Icon of ${of}`} width={20} height={20} />
      ))}
      {remote.map(({ src }) => (
        <span key={src} className="note truncate" title={src}>
          icon, not fetched: <code>{src.slice(0, 200)}</code>
        </span>
      ))}
    </>
  )
}
