/** `toolscope pin`: approves what the sources are and list now, into toolscope.lock.json; or says what differs from it. */
import { z } from 'zod'
import type { PinReview, ReviewItem } from '../../core/api/pins.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { pinActions, pinClasses, pinKinds } from '../../core/pin/pin.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { counted } from '../../core/text/wording.ts'
import { approvePin, removePin, reviewPin } from '../pins/approve-pin.ts'
import type { Pins } from '../pins/source-pins.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  sourceExits,
  sourceFields,
} from './command.ts'
import { chooseExitCode, openFailures, reportFailures, withCatalog } from './open-catalog.ts'
import { openConfig } from './open-config.ts'
import { openPins } from './open-pins.ts'
import { demandReadable, describeDifference } from './pin-texts.ts'
import { writeLine } from './terminal.ts'

const itemShape = z.object({
  kind: z.enum(pinKinds),
  name: z.string(),
  pinnedName: z.string().optional(),
  classes: z.array(z.enum(pinClasses)),
  action: z.enum(pinActions).describe('What the policy does with its call.'),
  hash: z.string().optional().describe('What --accept and --only take. Absent if it cannot be approved.'),
  changes: z.array(z.string()),
  before: z.unknown().optional().describe('The approved definition; absent if it is new.'),
  after: z.unknown().optional().describe('The definition of now; absent if it was removed.'),
})

const sourceShape = z.object({
  source: z.string(),
  pinned: z.boolean().describe('False if it had no pin before.'),
  approved: z.boolean().describe('Whether everything that differs was approved now.'),
  differences: z.array(itemShape),
  sameCount: z.number(),
})

export const pinCommand = defineCommand({
  name: 'pin',
  description: 'Approve what the sources list now, so that a later change is refused; or check it.',
  input: z.object({
    ...sourceFields,
    check: z.boolean().default(false).describe('Approve nothing: say what differs from the pins.'),
    only: z
      .array(z.string().regex(/^[0-9a-f]{32,64}$/, 'must be a hash that --check prints'))
      .default([])
      .describe('Approve only the differences with these hashes, which --check prints. Repeatable.'),
    remove: z.boolean().default(false).describe('Remove the pins of the named sources.'),
    yes: z.boolean().default(false).describe('Approve changes of a pinned source without a question.'),
    config: configurationFields.config,
    trust: configurationFields.trust,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope pin', 'approve what the sources of toolscope.json list now'],
    [
      'toolscope pin acme --check',
      'what differs from the pin of acme; exit code 5 if a call would be refused',
    ],
  ],
  exitCodes: {
    ...sourceExits,
    2: 'the command line, toolscope.json or the lock file is invalid, or the answer was no',
    5: 'with --check: a source has no pin, or something is not as it was approved and its call is refused',
  },
  output: z.object({ file: z.string(), sources: z.array(sourceShape), removed: z.array(z.string()) }),

  async run(input, context) {
    checkCombination(input)
    if (input.remove) return { output: await removeAll(input, context) }
    return withCatalog(input, context, async prepared => {
      const pins = openPins(prepared, context)
      // A broken lock is an error also if no source is open.
      pins.read()
      const failures = openFailures(prepared)
      const reviews: PinReview[] = []
      for (const { name } of prepared.catalog.sources.list())
        if (prepared.catalog.sources.find(name)?.manifest !== undefined)
          reviews.push(await reviewPin(pins, name))
      checkHashes(reviews, input.only)
      const sources = []
      let isRefused = false
      const approvesAll = !input.check && input.only.length === 0
      for (const first of reviews) {
        // Another source with its pin may have been approved just now.
        const { source, pinned } = first
        const review = approvesAll ? { ...(await reviewPin(pins, source)), pinned } : first
        const chosen = choose(review, input.only)
        printReview(review, chosen, context)
        const approved =
          !input.check && chosen.length > 0 && (await approve(pins, review, chosen, input, context))
        // A check that passes because nothing was approved, or because the lock was removed, would check nothing.
        isRefused ||= !approved && (!review.pinned || review.items.some(({ action }) => action !== 'allow'))
        sources.push(toOutput(review, approved))
      }
      reportFailures(prepared, context)
      const failed = chooseExitCode(failures)
      return {
        output: { file: pins.parts.file, sources, removed: [] },
        exitCode: input.check && isRefused ? exitCodes.breaking : failed,
      }
    })
  },

  print({ file, sources, removed }, context) {
    for (const { source, pinned, approved, differences, sameCount } of sources) {
      const count = approved ? differences.length + sameCount : differences.length
      writeLine(
        context,
        approved
          ? `${source}: approved, ${counted(count, 'item')}`
          : differences.length === 0
            ? `${source}: as approved, ${counted(sameCount, 'item')}`
            : pinned
              ? `${source}: ${counted(count, 'difference')}`
              : `${source}: no pin`,
      )
    }
    for (const name of removed) writeLine(context, `${name}: pin removed`)
    // Without a source that opened, the file was neither written nor compared.
    if (sources.length + removed.length > 0) writeLine(context, file)
  },
})

/** Throws AppError `usage` for flags that contradict each other: a check must write nothing. */
function checkCombination(input: {
  readonly check: boolean
  readonly only: readonly string[]
  readonly remove: boolean
}): void {
  const flags = [input.check && '--check', input.only.length > 0 && '--only', input.remove && '--remove']
  const [first, second] = flags.filter(flag => flag !== false)
  if (second === undefined) return
  throw new AppError('usage', `pin: ${first} and ${second} exclude each other`, {
    hint: '--check writes nothing, --only approves, and --remove removes.',
  })
}

/** Throws AppError `usage` if a hash names no difference: nothing would be approved, and the user would not know it. */
function checkHashes(reviews: readonly PinReview[], only: readonly string[]): void {
  const hashes = reviews.flatMap(({ items }) => items.flatMap(({ hash }) => hash ?? []))
  const unknown = only.find(given => !hashes.some(hash => hash.startsWith(given)))
  if (unknown === undefined) return
  throw new AppError('usage', `no difference has the hash ${unknown}, so nothing was approved`, {
    hint: '`toolscope pin --check` prints the hashes. They change with every change of the source or of its pin.',
  })
}

/** Returns the items that may be approved: all, or those that the hashes name. */
function choose({ items, pinned }: PinReview, only: readonly string[]): readonly ReviewItem[] {
  if (only.length === 0) return items
  const chosen = items.filter(({ hash }) => only.some(given => hash?.startsWith(given)))
  // A first approval names the server too.
  const isFirst = !pinned && chosen.length > 0
  return items.filter(item => chosen.includes(item) || (isFirst && item.kind === 'server'))
}

function printReview(review: PinReview, chosen: readonly ReviewItem[], context: CommandContext): void {
  if (!review.pinned || context.json === true) return
  for (const item of chosen) for (const line of describeDifference(review.source, item)) context.say(line)
}

/** Asks on the terminal before changes of a pinned source are approved. Throws AppError `usage` without a terminal. */
async function approve(
  pins: Pins,
  review: PinReview,
  chosen: readonly ReviewItem[],
  { only, yes }: { readonly only: readonly string[]; readonly yes: boolean },
  context: CommandContext,
): Promise<boolean> {
  const { source, pinned, fingerprint } = review
  for (const { kind, name, refusal } of chosen)
    if (refusal !== undefined)
      context.say(`${source}: the ${kind} ${plainLine(name)} is not approved. ${refusal}`)
  if (pinned && !yes && only.length === 0) {
    const question = `Approve ${counted(chosen.length, 'difference')} of ${source}? [y/N] `
    if (context.ask === undefined)
      throw new AppError('usage', `${source} differs from its pin, and there is no terminal to ask on`, {
        hint: 'Read the differences above, then approve them: --only HASH for single ones, --yes for all.',
      })
    demandReadable(source, chosen)
    if (!/^\s*y(es)?\s*$/i.test(await context.ask(question)))
      throw new AppError('usage', `${source} was not approved`, { hint: 'Nothing of it was changed.' })
  }
  const hashes = chosen.flatMap(({ hash }) => hash ?? [])
  await approvePin(pins, source, only.length > 0 ? { hashes } : { fingerprint })
  return true
}

function toOutput({ source, pinned, items, sameCount }: PinReview, approved: boolean) {
  const differences = items.map(
    ({ kind, name, pinnedName, classes, action, hash, changes, before, after }) => ({
      kind,
      name,
      ...(pinnedName !== undefined && { pinnedName }),
      classes: [...classes],
      action,
      ...(hash !== undefined && { hash }),
      changes: changes.map(({ message }) => message),
      ...(before && { before }),
      ...(after && { after }),
    }),
  )
  return { source, pinned, approved, differences, sameCount }
}

interface RemoveInput {
  readonly sources: readonly (string | readonly string[])[]
  readonly config?: string | undefined
  readonly trust: boolean
}

/** Opens no source: the pin of a source that no longer starts can be removed too. */
async function removeAll(input: RemoveInput, context: CommandContext) {
  if (input.sources.length === 0)
    throw new AppError('usage', 'no pin was named', { hint: 'Name it: toolscope pin --remove acme' })
  const { Catalog } = await import('../catalog/catalog.ts')
  const catalog = new Catalog({ directory: context.directory, environment: context.environment })
  const config = openConfig(input, { ...context, ask: undefined })
  const pins = openPins({ catalog, config }, context)
  const removed: string[] = []
  for (const source of input.sources) {
    const name = typeof source === 'string' ? source : source.join(' ')
    await removePin(pins, name)
    removed.push(name)
  }
  return { file: pins.parts.file, sources: [], removed }
}
