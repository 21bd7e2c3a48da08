/** Makes external text safe inside a report. */

/** The abilities of a terminal; files and pipes are plain. */
export interface TextStyle {
  readonly colour: boolean
  /** Width of the terminal; absent without a terminal. */
  readonly columns?: number | undefined
}

/** Colours a text by a code of terminals (SGR). */
export type Paint = (text: string, code: number) => string

export function createPaint({ colour }: Pick<TextStyle, 'colour'>): Paint {
  return (text, code) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
}

/** Makes text of a manifest safe for a terminal or a log: invisible characters are written as `\u{200b}`. */
export function visible(text: string): string {
  return text.replaceAll(
    /(?!\u200d\p{Extended_Pictographic})\p{Cf}|(?![\t\n])\p{Cc}|[\u2028\u2029]/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** Does the same as `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').trim()
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and XML elements and quoted attributes. Characters that neither allows are written out. */
export function escapeMarkup(text: string): string {
  return visible(text)
    .replaceAll(/[&<>"']/g, character => entities[character] ?? '')
    .replaceAll(
      /[\ufffe\uffff]|[\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
}

/**
 * @param title plain text
 * @param sections markup in which every external text is escaped
 * @param styles styles in addition to those of all reports
 */
export function htmlPage(title: string, sections: readonly string[], styles = ''): string {
  const heading = escapeMarkup(visibleLine(title))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${heading}</title>
<style>${pageStyle}${styles}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${sections.join('\n')}
</main>
</body>
</html>
`
}

const pageStyle = `
:root{--ground:#fff;--text:#1c1f24;--muted:#5b626d;--line:#d8dce2;--red:#b3261e;--violet:#7a2fb0;--amber:#8a5a00;--green:#1a6b3a}
@media (prefers-color-scheme:dark){:root{--ground:#14161a;--text:#e6e8ec;--muted:#9aa2ae;--line:#30353d;--red:#ff8a80;--violet:#d3a3ff;--amber:#f0c36d;--green:#7fd6a2}}
body{margin:0;background:var(--ground);color:var(--text);font:14px/1.5 system-ui,sans-serif}
main{max-width:1000px;margin:0 auto;padding:16px}
h1{font-size:18px;overflow-wrap:anywhere}h2{font-size:15px;margin:24px 0 8px}h3{font-size:12px;margin:0;color:var(--muted)}
article{border:1px solid var(--line);border-radius:6px;padding:8px 12px;margin:8px 0;overflow-wrap:anywhere}
p{margin:4px 0}code,pre{font-family:ui-monospace,monospace;font-size:12px}
pre{white-space:pre-wrap;margin:4px 0;max-height:400px;overflow:auto}
.muted{color:var(--muted)}.breaking{color:var(--red)}.dangerous{color:var(--violet)}.warning{color:var(--amber)}.info{color:var(--muted)}
.witness{border-left:3px solid var(--red);padding-left:8px}.cues{margin:4px 0;padding:0;list-style:none;color:var(--violet)}
.words{white-space:pre-wrap}ins{color:var(--green)}del{color:var(--red)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:12px}
`
