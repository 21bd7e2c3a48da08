/** A Monaco theme in the page's own colours, which follows `data-theme`. */
import { monaco } from './monaco.ts'

const name = 'toolscope'

/** Defines the theme from the page's variables, now and whenever it changes. Returns the function that stops it. */
export function followTheme(): () => void {
  const apply = () => {
    const style = getComputedStyle(document.documentElement)
    const color = (variable: string) => style.getPropertyValue(variable).trim()
    const dark = style.colorScheme.includes('dark') && !style.colorScheme.includes('light')
    const bare = (variable: string) => color(variable).replace('#', '')
    monaco.editor.defineTheme(name, {
      base: dark ? 'vs-dark' : 'vs',
      inherit: true,
      rules: [
        { token: 'string.key.json', foreground: bare('--key') },
        { token: 'string.value.json', foreground: bare('--str') },
        { token: 'number', foreground: bare('--num') },
        { token: 'keyword.json', foreground: bare('--num') },
      ].filter(rule => /^[0-9a-f]{6}$/i.test(rule.foreground)),
      colors: Object.fromEntries(
        Object.entries({
          'editor.background': color('--pane'),
          'editor.foreground': color('--text'),
          'editorLineNumber.foreground': color('--faint'),
          'editorWidget.background': color('--bg'),
          'editorWidget.border': color('--line-strong'),
          'editor.lineHighlightBackground': color('--sunken'),
          // Changed words have a border: a stronger background would hide their colours.
          'diffEditor.insertedLineBackground': color('--ok-soft'),
          'diffEditor.insertedTextBackground': color('--ok-soft'),
          'diffEditor.insertedTextBorder': color('--ok'),
          'diffEditor.removedLineBackground': color('--bad-soft'),
          'diffEditor.removedTextBackground': color('--bad-soft'),
          'diffEditor.removedTextBorder': color('--bad'),
          'diffEditor.unchangedRegionBackground': color('--sunken'),
          'diffEditor.unchangedRegionForeground': color('--muted'),
        }).filter(([, value]) => /^#[0-9a-f]{6}$/i.test(value)),
      ),
    })
    monaco.editor.setTheme(name)
  }
  apply()
  const observer = new MutationObserver(apply)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
