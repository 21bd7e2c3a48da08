/**
 * `npm run bench -- originals --data DIR [--json]`: Toolscope against the systems of the mission. DIR holds what they print
 * (`fireargs/`, `llm-functions/`, `scripted-tool/`); packages of npm are started where they are installed. A row for
 * each thing that is compared; ends with 1 where something is not equal, or nothing could be compared.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compareFireargs } from './fireargs.ts'
import { compareIncur } from './incur.ts'
import { compareFunctions } from './llm-functions.ts'
import { comparePackages } from './packages.ts'
import type { Row } from './row.ts'
import { compareScripts } from './scripts.ts'

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
})
if (values.data === undefined) {
  console.error('Name the folder of what the originals print: npm run bench -- originals --data DIR')
  process.exit(2)
}
const data = resolve(values.data)
const rows: Row[] = []
for (const compare of [compareFireargs, compareFunctions, compareScripts, compareIncur, comparePackages])
  rows.push(...(await compare(data)))
const isEqual = rows.every(({ different }) => different.length === 0)
const compared = rows.reduce((sum, { count }) => sum + count, 0)
if (values.json) console.log(JSON.stringify({ isEqual, compared, rows }, null, 2))
else {
  console.table(
    rows.map(({ row, count, different, intended = 0, missing = '' }) => ({
      row,
      compared: count,
      equal: count - different.length - intended,
      intended,
      different: different.length,
      missing,
    })),
  )
  for (const { row, different } of rows)
    for (const line of different) console.log(`NOT EQUAL  ${row}: ${line}`)
}
process.exit(isEqual && compared > 0 ? 0 : 1)
