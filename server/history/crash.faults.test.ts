import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachInvocation } from '../store/invocation-list.ts'
import { databases } from '../store/testkit.ts'
import { bundle, runAndKill } from './bundle.testkit.ts'

const kills = 12

describe.each(databases)('history after kill -9 during writes on $dialect', ({ create, dialect }) => {
  test('has every acknowledged call, and the database is intact', { timeout: 120_000 }, async () => {
    const database = await create()
    const program = await bundle('./writer.fixture-program.ts')
    try {
      const acknowledged: string[] = []
      for (let kill = 0; kill < kills; kill += 1) {
        const { lines, stderr } = await runAndKill(program, database.environment, 20 + Math.random() * 250)
        expect(stderr).toBe('')
        expect(lines.length).toBeGreaterThan(0)
        acknowledged.push(...lines)
      }
      const store = await database.open()
      expect(store.status().state).toBe('ready')
      const found = new Set<string>()
      for await (const { id, events } of eachInvocation(store, {})) {
        found.add(id)
        expect(events.at(-1)?.type).toBe('result')
      }
      expect(acknowledged.filter(id => !found.has(id))).toEqual([])
      // Written whole or not at all: each row has its body and its words.
      const words = new Set<string>()
      for await (const { id } of eachInvocation(store, { text: 'word', source: 'acme' })) words.add(id)
      expect(words).toEqual(found)
      const { rows } = await sql`select count(*) as n from invocations i
        left join invocation_bodies b on b.seq = i.seq where b.seq is null`.execute(store.database())
      expect(rows).toEqual([{ n: 0 }])
      if (dialect === 'sqlite') {
        const sound = await sql`pragma integrity_check`.execute(store.database())
        expect(sound.rows).toEqual([{ integrity_check: 'ok' }])
        await sql`insert into invocation_words(invocation_words) values ('integrity-check')`.execute(
          store.database(),
        )
      }
    } finally {
      rmSync(program, { force: true })
      await database.remove()
    }
  })
})
