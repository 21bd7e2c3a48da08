/** `toolscope people`: the people of a team, each with a token and rights of its own, and the log of what they changed. */
import { z } from 'zod'
import { type AuditEntry, auditEntry, type PersonState, personState } from '../../core/api/people.ts'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { parseRights } from '../http/token.ts'
import { isPersonName } from '../people/people.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import {
  addAuditEntries,
  addPerson,
  listAudit,
  listPeople,
  type PersonSettings,
  revokePerson,
  rotateToken,
} from '../store/stored-people.ts'
import { type CommandContext, defineCommand, fields } from './command.ts'
import { writeLine } from './terminal.ts'

const actions = ['add', 'list', 'revoke', 'rotate', 'audit'] as const
const dayMs = 86_400_000
const maxDays = 3_650

const input = z.object({
  action: z
    .enum(actions)
    .default('list')
    .describe('add, list, revoke, rotate (a new token), or audit (who signed in and changed what).'),
  name: z.string().optional().describe('The person: ada, ada@example.com.'),
  rights: z
    .string()
    .optional()
    .describe('With add: read, call, write and sources, comma separated; default read.'),
  sources: z
    .string()
    .optional()
    .describe('With add: the only sources that exist for the person, comma separated; default all.'),
  expires: z
    .string()
    .regex(/^\d{1,4}d$/, 'must be a number of days, such as 30d')
    .optional()
    .describe('With add and rotate: days until the token expires, such as 30d; default never, or as before.'),
  callsAtATime: z.number().int().min(1).max(1_000).optional().describe('With add: calls that run at a time.'),
  callsAMinute: z.number().int().min(1).max(100_000).optional().describe('With add: calls in a minute.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(50)
    .describe('With audit: number of entries (default 50).'),
  database: fields.database,
})

type PeopleInput = z.infer<typeof input>

export const peopleCommand = defineCommand({
  name: 'people',
  description:
    'Give people of a team their own tokens and rights, list and revoke them, and see what they changed.',
  input,
  positionals: ['action', 'name'],
  examples: [
    [
      'toolscope people add ada --rights read,call --sources acme,github --expires 30d',
      'a token, printed once',
    ],
    ['toolscope people revoke ada', 'refused at once by each server of this store'],
    ['toolscope people audit ada', 'what a person changed, newest first'],
  ],
  exitCodes: {
    0: 'done',
    2: 'the command line is invalid or the person is unknown',
  },
  output: z.object({
    token: z.string().optional().describe('The token, which is stored nowhere.'),
    people: z.array(personState).optional(),
    entries: z.array(auditEntry).optional(),
  }),

  async run(given, context) {
    const store = await openStore({
      environment: context.environment,
      databaseUrl: given.database,
      say: context.say,
    })
    try {
      return { output: await act(given, store, context) }
    } finally {
      await store.close()
    }
  },

  print({ token, people, entries }, context, { action, name }) {
    if (action === 'revoke')
      return context.say(`${name} is refused from now on, on every server of this store.`)
    if (token !== undefined) {
      writeLine(context, token)
      context.say('This token is not stored: copy it now. The page opens with ?token=<token>.')
    }
    for (const person of people ?? []) writeLine(context, describePerson(person))
    for (const entry of entries ?? []) writeLine(context, describeEntry(entry))
    if (people?.length === 0)
      context.say('No people: everybody has the token of the server, with all rights.')
    if (entries?.length === 0) context.say('No entries')
  },
})

async function act(given: PeopleInput, store: Store, context: CommandContext) {
  const { action, name, limit } = given
  demandOptions(given)
  if (action === 'list') {
    const all = await listPeople(store)
    const people = name === undefined ? all : all.filter(person => person.name === name)
    if (name !== undefined && people.length === 0)
      throw new AppError('not-found', `there is no person "${name}"`)
    return { people: people.map(({ hash: _hash, ...person }) => withoutUndefined(person)) }
  }
  if (action === 'audit')
    return {
      entries: (await listAudit(store, { person: name, limit })).map(entry => withoutUndefined(entry)),
    }
  if (name === undefined) throw new AppError('usage', `toolscope people ${action} needs the name of a person`)
  const settings = action === 'add' ? readSettings(name, given) : undefined
  const token = settings === undefined ? await change(store, name, given) : await addPerson(store, settings)
  const entry: AuditEntry = {
    time: new Date().toISOString(),
    outcome: 'accepted',
    right: 'sources',
    request: `people ${action}`,
    target: settings === undefined ? name : describeSettings(settings),
  }
  // The change is made; a log that cannot be written must not hide the token.
  await addAuditEntries(store, [entry]).catch(() => context.say('The audit log could not be written.'))
  return withoutUndefined({ token })
}

async function change(
  store: Store,
  name: string,
  { action, expires }: PeopleInput,
): Promise<string | undefined> {
  if (action === 'rotate') return rotateToken(store, name, readExpiry(expires))
  await revokePerson(store, name)
  return undefined
}

/** Throws AppError `usage` for an option that the action would ignore. */
function demandOptions(given: PeopleInput): void {
  const { action } = given
  const names = ['rights', 'sources', 'expires', 'callsAtATime', 'callsAMinute'] as const
  const ignored = names.find(
    name => given[name] !== undefined && action !== 'add' && !(action === 'rotate' && name === 'expires'),
  )
  if (ignored === undefined) return
  const option = ignored.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  throw new AppError('usage', `toolscope people ${action} does not take --${option}`, {
    hint: 'Other rights and limits: toolscope people revoke NAME, then add NAME.',
  })
}

/** Throws AppError `usage` for a name that no header can carry, and for rights that contradict each other. */
function readSettings(name: string, given: PeopleInput): PersonSettings {
  if (!isPersonName(name))
    throw new AppError('usage', `"${name}" cannot be the name of a person`, {
      hint: 'A name has at most 100 letters, digits, ".", "_", "-", "+" and "@", and begins with a letter or digit.',
    })
  const rights = parseRights(given.rights ?? 'read', '--rights')
  const sources = given.sources
    ?.split(',')
    .map(source => source.trim())
    .filter(source => source !== '')
  if (sources?.length === 0) throw new AppError('usage', '--sources names no source')
  if (sources !== undefined && rights.includes('sources'))
    throw new AppError('usage', 'the right "sources" does not go with --sources', {
      hint: 'Who may add a source can read every file of the server, and so every other source.',
    })
  return {
    name,
    rights: [...rights],
    sources,
    callsAtATime: given.callsAtATime,
    callsAMinute: given.callsAMinute,
    expiresAt: readExpiry(given.expires),
  }
}

/** Returns milliseconds since 1970. */
function readExpiry(expires: string | undefined): number | undefined {
  if (expires === undefined) return undefined
  const days = Number.parseInt(expires, 10)
  if (days < 1 || days > maxDays) throw new AppError('usage', `--expires takes 1d to ${maxDays}d`)
  return Date.now() + days * dayMs
}

const describeSettings = ({ name, rights, sources, expiresAt }: PersonSettings) =>
  [
    `${name} rights=${rights.join()}`,
    ...(sources === undefined ? [] : [`sources=${sources.join()}`]),
    ...(expiresAt === undefined ? [] : [`expires=${new Date(expiresAt).toISOString().slice(0, 10)}`]),
  ].join(' ')

function describePerson(person: PersonState): string {
  const { name, prefix, rights, sources, callsAtATime, callsAMinute, expiresAt, revokedAt } = person
  const hasExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  const parts = [
    name,
    `${prefix}…`,
    rights.join(),
    sources === undefined ? 'all sources' : sources.join(),
    callsAtATime !== undefined && `${callsAtATime} at a time`,
    callsAMinute !== undefined && `${callsAMinute} a minute`,
    expiresAt !== undefined && `${hasExpired ? 'expired' : 'expires'} ${expiresAt.slice(0, 10)}`,
    revokedAt !== undefined && `revoked ${revokedAt.slice(0, 10)}`,
  ]
  return plainLine(parts.filter(part => part !== false).join('  '))
}

function describeEntry({ time, person = 'operator', outcome, request, target, address }: AuditEntry): string {
  const parts = [time.slice(0, 19).replace('T', ' '), person, outcome, request, target, address]
  return plainLine(parts.filter(part => part !== undefined).join('  '))
}
