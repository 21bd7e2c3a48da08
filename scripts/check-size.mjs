/**
 * Checks what is loaded first: all JavaScript that index.html loads, compressed with brotli, and all modules that
 * `toolscope serve` loads before it listens, as Node compiles them. Both with their static imports.
 */
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { project } from './project.mjs'

const html = readFileSync(project('dist/page/index.html'), 'utf8')
const page = loadStatically(
  'dist/page/assets',
  [...html.matchAll(/(?:src|href)="\.?\/assets\/([^"]+\.js)"/g)].map(match => match[1]),
)
if (page.length === 0) throw new Error('index.html names no script: was the page built?')
check('First load of the page', page, code => brotliCompressSync(code).length, 190)

// Node compiles 70 kB in a millisecond, and runs what it compiled.
const server = 'dist/server'
const program = findDynamic(loadStatically(server, ['main.js']), /import\("\.\/(program-[^"]+)"\)/)
const serve = findDynamic(loadStatically(server, [program]), /serve: .*import\("\.\/(serve-[^"]+)"\)/)
check('Start of serve', loadStatically(server, ['main.js', program, serve]), code => code.length, 2_150)

/** Returns the code of the named files and of all files that they import statically. The set grows while it is read. */
function loadStatically(folder, names) {
  const found = new Set(names)
  return Array.from(found, name => {
    const code = readFileSync(project(`${folder}/${name}`))
    // Static imports of a built chunk: `import … from"./x.js"` and `import"./x.js"`; dynamic ones have a parenthesis.
    for (const [, file] of code.toString().matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      found.add(file)
    return code
  })
}

/** Returns the file of a dynamic import. */
function findDynamic(codes, pattern) {
  const name = codes.map(code => pattern.exec(code.toString())?.[1]).find(Boolean)
  if (name === undefined) throw new Error(`dist/server has no ${pattern}: was the program built?`)
  return name
}

function check(name, codes, sizeOf, maxKb) {
  const kb = codes.reduce((total, code) => total + sizeOf(code), 0) / 1000
  console.log(
    `${name}: ${kb.toFixed(1)} kB of JavaScript in ${codes.length} files; the limit is ${maxKb} kB.`,
  )
  if (kb > maxKb) process.exitCode = 1
}
