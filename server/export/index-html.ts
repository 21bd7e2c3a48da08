/** The one page of an export. Every address in it is relative: it works in any folder of any host, and from a disk. */

/**
 * As strict as the live page's policy, and stricter where an export has no need: nothing is connected to. The comparison
 * runs in a worker made from a blob, because a browser loads no worker's file from a folder on disk.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export interface PageFiles {
  readonly theme: string
  readonly style: string
  readonly script: string
  /** The first part of the data. */
  readonly catalog: string
}

export function indexHtml({ theme, style, script, catalog }: PageFiles): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="description" content="A catalog of agent tools, exported by Toolscope." />
    <link rel="icon" href="./favicon.svg" type="image/svg+xml" />
    <script src="./${theme}"></script>
    <link rel="stylesheet" href="./${style}" />
    <script defer src="./${catalog}"></script>
    <script defer src="./${script}"></script>
    <title>Toolscope</title>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This catalog is drawn by a script.</noscript>
  </body>
</html>
`
}
