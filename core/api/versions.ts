/** Versions of a source's manifest: their lists, their labels, and two manifests compared. */
import { z } from 'zod'
import type { DiffReport, DiffSide, Severity } from '../diff/change.ts'
import { teamRules } from '../diff/team-rules.ts'
import { isObject } from '../json/json.ts'
import { list, queryFlag } from '../json/zod-shapes.ts'
import { snapshotCauses } from '../manifest/snapshot.ts'
import { entryShape } from '../report/changelog.ts'
import { changeShape } from '../report/diff-json.ts'
import { audited, defineEndpoints } from './endpoint.ts'

export const severityCounts = z.object({
  breaking: z.number(),
  dangerous: z.number(),
  warning: z.number(),
  info: z.number(),
}) satisfies z.ZodType<Record<Severity, number>>
export type SeverityCounts = z.infer<typeof severityCounts>

const versionKind = z.enum(['snapshot', 'git'])
export type VersionKind = z.infer<typeof versionKind>

const version = z.object({
  /** The reference that /diff accepts: `acme@3`, `git:1f3a…:tools.json`. */
  reference: z.string(),
  /** The name for the user: `acme@3`, `1f3a2b4c`. */
  name: z.string(),
  time: z.string(),
  kind: versionKind,
  /** The number of a snapshot. */
  number: z.number().exactOptional(),
  /** True if it equals the open source's current list. */
  current: z.literal(true).exactOptional(),
  cause: z.enum(snapshotCauses).exactOptional(),
  version: z.string().exactOptional(),
  git: z.string().exactOptional(),
  /** The person who read the list again. */
  by: z.string().exactOptional(),
  labels: list(z.string()),
  /** The first line of a commit's message. Hostile text. */
  subject: z.string().exactOptional(),
  toolCount: z.number().exactOptional(),
  /** The changes against the version before it; absent for the first one, and if it was not compared. */
  counts: severityCounts.exactOptional(),
  /** In a tool's timeline: how this version changed the tool. */
  touch: z.enum(['added', 'changed', 'removed']).exactOptional(),
})
/** A version in a timeline. */
export type Version = z.infer<typeof version>

/** Newest first. */
const versionList = z.object({
  versions: list(version),
  /** Whether there are older ones. */
  more: z.boolean(),
  /** Whether labels can be set: only if the list comes from a store, not only from this run. */
  kept: z.boolean(),
})
export type VersionList = z.infer<typeof versionList>

const changelogPage = z.object({
  /** The kind of versions: stored snapshots, or commits. */
  kind: versionKind,
  /** The kinds that the source has versions of. */
  kinds: list(versionKind),
  /** Newest first. */
  entries: list(entryShape),
  /** Names of versions that could not be read as a manifest. */
  unreadable: list(z.string()),
  /** The cursor of the next page; absent on the last one. */
  nextCursor: z.string().exactOptional(),
  /** The path of the feed of an export, relative to the page. */
  feed: z.string().exactOptional(),
})
/** A page of a source's changelog. */
export type ChangelogPage = z.infer<typeof changelogPage>

const changelogQuery = z.object({
  limit: z.coerce.number<string | number>().int().min(1).max(100).default(30),
  /** By default snapshots if there are at least two, else commits. */
  kind: versionKind.optional(),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(2_000).optional(),
})
export type ChangelogQuery = z.infer<typeof changelogQuery>

/** An open source whose list differs from the one that the user saw last. */
const recentChange = z.object({
  source: z.string(),
  /** References of the two versions. */
  from: z.string(),
  to: z.string(),
  /** When the newer one was first seen. ISO 8601, UTC. */
  time: z.string(),
  counts: severityCounts,
})
export type RecentChange = z.infer<typeof recentChange>

/** The limit for each kind of version. */
const query = z.object({ limit: z.coerce.number<string | number>().int().min(1).max(500).default(30) })

export const versionEndpoints = defineEndpoints({
  'GET /api/sources/{name}/versions': {
    right: 'read',
    about: 'The kept versions of a source and those in git, newest first',
    params: z.object({ name: z.string() }),
    query,
    answer: versionList,
  },
  'GET /api/sources/{name}/changelog': {
    right: 'read',
    about: 'What each version of a source changed against the one before it, newest first',
    params: z.object({ name: z.string() }),
    query: changelogQuery,
    answer: changelogPage,
  },
  'PUT /api/sources/{name}/versions/{number}/labels/{label}': audited({
    right: 'write',
    about: 'Names a version; a label that names another version moves',
    params: z.object({
      name: z.string(),
      // Text that is not a number becomes 0, which is not a version.
      number: z
        .union([z.string(), z.number()])
        .transform(given => (/^\d{1,9}$/.test(String(given)) ? Number(given) : 0)),
      label: z.string(),
    }),
    target: ({ params }) => `${params.name}@${params.number} label=${params.label}`,
    answer: versionList,
  }),
  'DELETE /api/sources/{name}/labels/{label}': audited({
    right: 'write',
    about: 'Removes a label',
    params: z.object({ name: z.string(), label: z.string() }),
    target: ({ params }) => `${params.name} label=${params.label}`,
    answer: versionList,
  }),
  'GET /api/changes': {
    right: 'read',
    about: 'Open sources that changed since the versions `looked`, or lately; the newest 6',
    query: z.object({
      /** The last seen version of each source, separated by commas: `acme@3`. */
      looked: z
        .string()
        .max(20_000)
        .default('')
        .transform(text => text.split(',')),
    }),
    answer: z.object({ changes: list(recentChange) }),
  },
  'GET /api/tools/{+ref}/versions': {
    right: 'read',
    about: 'The versions that touched the tool',
    params: z.object({ ref: z.string() }),
    query,
    answer: versionList,
  },
})

/** One side of a comparison. `source` and `refs` are set if the side is an open source's current list. */
const comparedSide = z.object({
  /** The label for the user. */
  label: z.string(),
  source: z.string().exactOptional(),
  /**
   * The references of the tools in `side` that can be opened, by name. Of several tools with one name, the first
   * counts.
   */
  refs: z.record(z.string(), z.string()).exactOptional(),
  /** In an answer, only the tools that a change names. */
  side: z.custom<DiffSide>(isObject),
})

const report: z.ZodType<DiffReport> = z.object({
  changes: list(changeShape),
  counts: severityCounts,
  proved: z.number(),
  undecided: z.number(),
  compared: z.number(),
  ignored: list(changeShape),
  unusedIgnores: list(z.string()),
  switchedOff: z.record(z.string(), z.number()),
  lowered: z.number(),
  strict: z.boolean(),
})

const diffAnswer = z.object({
  a: comparedSide,
  b: comparedSide,
  report,
  /** The rules of the report, from toolscope.json. */
  rules: teamRules,
})
export type DiffAnswer = z.infer<typeof diffAnswer>

const reference = z.string().min(1).max(2000)
/** A side by its reference, or the text of a manifest with the name of its file. The text is not stored. */
const givenSide = z.union([
  z.object({ reference }),
  z.object({ name: z.string().min(1).max(200), text: z.string() }),
])
export type GivenSide = z.infer<typeof givenSide>

export const diffEndpoints = defineEndpoints({
  'GET /api/diff': {
    right: 'read',
    about: 'Two references compared: a source, a version, a file, `git:REV:path`',
    query: z.object({
      a: reference,
      b: reference,
      /** Rates changes for all values, not only for callers that send declared fields. */
      strict: queryFlag.optional(),
    }),
    answer: diffAnswer,
  },
  'POST /api/diff': {
    right: 'read',
    about: 'The same. A side may also be the text of a manifest, which is not stored',
    body: z.object({ a: givenSide, b: givenSide, strict: z.boolean().optional() }),
    answer: diffAnswer,
  },
})
