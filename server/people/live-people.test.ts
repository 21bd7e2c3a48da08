/** The people of a store on several replicas, on each database. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../core/api/people.ts'
import type { Store } from '../store/store.ts'
import {
  addAuditEntries,
  addPerson,
  listAudit,
  listPeople,
  revokePerson,
  rotateToken,
} from '../store/stored-people.ts'
import { databases, sqlite, type TestDatabase } from '../store/testkit.ts'
import { openPeople, People, toPersonCookie } from './people.ts'

const ada = { name: 'ada@example.com', rights: ['read', 'call'] as const, sources: ['acme'] }

const refused = { outcome: 'refused', right: 'call', request: 'POST /api/invocations' } as const

describe('audit log', () => {
  it('has a bounded number of refusals and sign-ins', async () => {
    const database = await sqlite.create()
    const store = await database.open()
    await addPerson(store, ada)
    const people = await openPeople(store, () => {})
    const time = new Date().toISOString()
    people.record({ ...refused, time, person: 'eve' })
    people.record({ time, outcome: 'accepted', right: 'write', request: 'PUT /api/examples' })
    await people.close()
    const guess = { ...refused, time, address: '10.0.0.7' }
    for (let count = 0; count < 22; count += 1) {
      const later = new Date(Date.parse(time) + count).toISOString()
      await addAuditEntries(store, Array<AuditEntry>(500).fill({ ...guess, time: later }))
    }
    const reader = await openPeople(store, () => {})
    for (let count = 0; count < 200; count += 1) {
      reader.record(guess)
      reader.record({ ...refused, time, person: 'bob' })
      reader.recordSignIn({ name: 'zoe', rights: ['read'] }, { address: '10.0.0.8' }, 'page')
    }
    await reader.close()
    const entries = await listAudit(store, { limit: 100_000 })
    const count = (check: (entry: AuditEntry) => boolean) => entries.filter(check).length
    expect(count(({ person }) => person === 'eve')).toBe(1)
    expect(count(({ right }) => right === 'write')).toBe(1)
    expect(count(({ person }) => person === 'bob')).toBe(100)
    expect(count(({ person }) => person === 'zoe')).toBe(100)
    expect(count(({ address }) => address !== undefined)).toBeLessThan(11_200)
    await database.remove()
  })
})

describe.each(databases)('people in $dialect', kind => {
  let database: TestDatabase
  let replicas: readonly People[] = []
  /** The one that `toolscope people` opens. */
  let store: Store

  beforeAll(async () => {
    database = await kind.create()
    store = await database.open()
    const stores = [await database.open(), await database.open()]
    replicas = await Promise.all(stores.map(each => openPeople(each, () => {})))
  })
  afterAll(async () => {
    await Promise.all(replicas.map(each => each.close()))
    await database.remove()
  })

  const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 20 })
  const nameOf = (people: People, token: string) => people.byToken(token)?.name

  it('are known on each replica by their tokens, of which only hashes are stored', async () => {
    expect(replicas.map(({ areUsed }) => areUsed)).toEqual([false, false])
    const token = await addPerson(store, ada)
    await waitFor(() => expect(replicas.map(each => nameOf(each, token))).toEqual([ada.name, ada.name]))
    expect(nameOf(replicas[0] as People, `${token}x`)).toBeUndefined()
    const [stored] = await listPeople(store)
    expect(stored).toMatchObject({ ...ada, prefix: token.slice(0, 10) })
    expect(JSON.stringify(stored)).not.toContain(token)
    await expect(addPerson(store, ada)).rejects.toMatchObject({ code: 'name-taken' })
  })

  it('lose what they have open, and their cookies, when the token is replaced or revoked', async () => {
    const [one, two] = replicas as [People, People]
    const secret = 'secret-of-the-cookies'
    for (const act of [rotateToken, revokePerson]) {
      const people = await listPeople(store)
      const person = people[0]
      if (person === undefined) throw new Error('there is a person')
      await waitFor(() => expect(one.byCookie(toPersonCookie(person, secret), secret)?.name).toBe(ada.name))
      const ended: string[] = []
      one.whileValid(person, () => ended.push('one'))
      two.whileValid(person, () => ended.push('two'))
      const stop = two.whileValid(person, () => ended.push('stopped'))
      stop()
      await act(store, ada.name)
      await waitFor(() => expect([...new Set(ended)].sort()).toEqual(['one', 'two']))
      expect(one.byCookie(toPersonCookie(person, secret), secret)).toBeUndefined()
    }
    await expect(revokePerson(store, ada.name)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('can be added again after they were revoked, and expire by themselves', async () => {
    const token = await addPerson(store, { ...ada, expiresAt: Date.now() + 60_000 })
    await waitFor(() => expect(nameOf(replicas[1] as People, token)).toBe(ada.name))
    const ended = new Promise<void>(resolve => replicas[1]?.whileValid(replicas[1].byToken(token), resolve))
    await revokePerson(store, ada.name)
    await ended
    const late = await addPerson(store, { ...ada, name: 'late', expiresAt: Date.now() - 1 })
    await replicas[0]?.load()
    expect(nameOf(replicas[0] as People, late)).toBeUndefined()
  })

  it.skipIf(kind.dialect === 'sqlite')(
    'are revoked while all connections of a replica are in use',
    async () => {
      const busy = await database.open()
      const people = await openPeople(busy, () => {})
      const [eve, bob] = [
        await addPerson(store, { name: 'eve', rights: ['read'] }),
        await addPerson(store, { name: 'bob', rights: ['read'] }),
      ]
      await waitFor(() => expect([nameOf(people, eve), nameOf(people, bob)]).toEqual(['eve', 'bob']))
      let free = () => {}
      const freed = new Promise<void>(resolve => {
        free = resolve
      })
      const holders = Array.from({ length: busy.pool()?.max ?? 0 }, () =>
        busy
          .database()
          .transaction()
          .execute(() => freed),
      )
      await waitFor(() => expect(busy.pool()).toMatchObject({ idle: 0, open: busy.pool()?.max }))
      const ended: string[] = []
      people.whileValid(people.byToken(eve), () => ended.push('eve'))
      people.whileValid(people.byToken(bob), () => ended.push('bob'))
      await revokePerson(store, 'eve')
      await waitFor(() => expect([ended, nameOf(people, eve)]).toEqual([['eve'], undefined]))
      expect(nameOf(people, bob)).toBe('bob')
      const again = await rotateToken(store, 'bob')
      free()
      await Promise.all(holders)
      await waitFor(() => expect(nameOf(people, again)).toBe('bob'))
      await people.close()
    },
  )
})

describe('people that a proxy signs in, with rights for those of no list', () => {
  const proxy = {
    userHeader: 'x-user',
    secretHeader: 'x-secret',
    secret: 'secret',
    rights: ['read'] as const,
  }

  it('have no rights before the list was read once', async () => {
    const database = await sqlite.create()
    const store = await database.open()
    await addPerson(store, ada)
    await revokePerson(store, ada.name)
    const people = new People(store, () => {}, proxy)
    for (const name of [ada.name, 'zoe'])
      expect(() => people.byProxy(name)).toThrow('may not use this server')
    await vi.waitFor(() => people.byProxy('zoe'), { timeout: 30_000 })
    expect(people.byProxy('zoe')).toEqual({ name: 'zoe', rights: ['read'] })
    await people.close()
    await database.remove()
  })

  it('are the revoked and limited ones in another case too', async () => {
    const database = await sqlite.create()
    const store = await database.open()
    await addPerson(store, ada)
    const people = await openPeople(store, () => {}, proxy)
    const other = ada.name.toUpperCase()
    expect(people.byProxy(ada.name)).toMatchObject({ sources: ['acme'] })
    expect(() => people.byProxy(other)).toThrow('may not use this server')
    await revokePerson(store, ada.name)
    await vi.waitFor(() => expect(() => people.byProxy(ada.name)).toThrow('may not use'), { timeout: 30_000 })
    expect(() => people.byProxy(other)).toThrow('may not use this server')
    await people.close()
    await database.remove()
  })
})
