import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { applySchema } from '../../server/validation/apply-schema.ts'
import { createBrowserValidator } from '../../core/validation/browser-validator.ts'
import { SchemaEvaluator } from '../../core/compat/evaluate/evaluate.ts'
import { Budget, defaultLimits } from '../../core/compat/limits.ts'
import { Registry } from '../../core/compat/parse/registry.ts'
import { loadMetaSchemas, metaSchemas } from '../../core/compat/parse/meta-schemas.ts'
import { linearRegExp } from '../../server/validation/linear-regexp.ts'
import { dialectOf } from '../../core/json-schema/dialect.ts'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const data = values.data as string
await loadMetaSchemas()
const files = (d: string): string[] => readdirSync(d).flatMap(n => statSync(join(d, n)).isDirectory() ? files(join(d, n)) : [join(d, n)])
const uris: Record<string, string> = { draft4: 'http://json-schema.org/draft-04/schema#', draft6: 'http://json-schema.org/draft-06/schema#', draft7: 'http://json-schema.org/draft-07/schema#', 'draft2019-09': 'https://json-schema.org/draft/2019-09/schema', 'draft2020-12': 'https://json-schema.org/draft/2020-12/schema' }
const remotes = files(join(data, 'remotes')).map(f => { const s = JSON.parse(readFileSync(f, 'utf8')); return { uri: 'http://localhost:1234/' + relative(join(data, 'remotes'), f), s } })
for (const [draft, uri] of Object.entries(uris)) {
  const dir = join(data, 'tests', draft)
  let n = 0; const ok: Record<string, number> = { ajv: 0, cf: 0, own: 0 }; const miss: Record<string, string[]> = { ajv: [], cf: [], own: [] }
  for (const f of readdirSync(dir).filter(x => x.endsWith('.json'))) for (const c of JSON.parse(readFileSync(join(dir, f), 'utf8'))) {
    const schema = typeof c.schema === 'object' ? { $schema: uri, ...c.schema } : c.schema
    for (const t of c.tests) {
      n++
      const say = (k: string, v: unknown) => { if (v === t.valid) ok[k]!++; else miss[k]!.push(`${f}: ${c.description}: ${t.description} -> ${v}`) }
      const a = applySchema(JSON.stringify(schema), t.data); say('ajv', a.verdict === 'unchecked' ? a.note : a.verdict === 'valid')
      const b = createBrowserValidator(schema)(t.data); say('cf', b.verdict === 'unchecked' ? b.note : b.verdict === 'valid')
      try {
        const others = new Map([...metaSchemas(), ...remotes.filter(r => typeof r.s === 'object').map(r => [r.uri, r.s] as const)])
        const e = new SchemaEvaluator(new Registry(schema, dialectOf(schema), others, 0), { matches: (p, x) => linearRegExp(p, 'u').test(x) })
        say('own', e.check(t.data).length === 0)
      } catch (x) { say('own', String(x)) }
    }
  }
  console.log(draft, n, Object.entries(ok).map(([k, v]) => `${k} ${(100 * v / n).toFixed(1)}%`).join(' '))
  console.log(miss.own!.slice(0, 40).join('\n'))
}
