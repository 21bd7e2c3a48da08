/**
 * Checks the size of the first load: all JavaScript that index.html loads, with its static imports, compressed with
 * brotli.
 */
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { project } from './project.mjs'

const maxKb = 190

const html = readFileSync(project('dist/page/index.html'), 'utf8')
const queue = [...html.matchAll(/(?:src|href)="\.?\/(assets\/[^"]+\.js)"/g)].map(match => match[1])
const seen = new Set()
while (queue.length > 0) {
  const file = queue.pop()
  if (seen.has(file)) continue
  seen.add(file)
  const code = readFileSync(project(`dist/page/${file}`), 'utf8')
  // Static imports of a built chunk: `import … from"./x.js"` and `import"./x.js"`; dynamic ones have a parenthesis.
  for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    queue.push(`assets/${name}`)
}
if (seen.size === 0) throw new Error('index.html names no script: was the page built?')
let total = 0
for (const file of seen) total += brotliCompressSync(readFileSync(project(`dist/page/${file}`))).length
const kb = total / 1000
console.log(
  `First load: ${kb.toFixed(1)} kB of JavaScript in ${seen.size} files (brotli); the limit is ${maxKb} kB.`,
)
if (kb > maxKb) process.exit(1)
