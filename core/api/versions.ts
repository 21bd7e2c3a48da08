/** Versions of a source's manifest: their lists, their labels, and two manifests compared. */
import { z } from 'zod'
import type { DiffReport, DiffSide, Severity } from '../diff/change.ts'
import { teamRules } from '../diff/team-rules.ts'
import { isObject } from '../json/json.ts'
import { list, queryFlag } from '../json/zod-shapes.ts'
import { snapshotCauses } from '../manifest/snapshot.ts'
import { entryShape } from '../report/changelog.ts'
import { changeShape } from '../report/diff-json.ts'
import { defineEndpoints } from './endpoint.ts'

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
  /** What /diff takes for a side: `acme@3`, `git:1f3a…:tools.json`. */
  reference: z.string(),
  /** For people: `acme@3`, `1f3a2b4c`. */
  name: z.string(),
  time: z.string(),
  kind: versionKind,
  /** Of a snapshot. */
  number: z.number().exactOptional(),
  /** It is what the open source lists now. */
  current: z.literal(true).exactOptional(),
  cause: z.enum(snapshotCauses).exactOptional(),
  version: z.string().exactOptional(),
  git: z.string().exactOptional(),
  labels: list(z.string()),
  /** The first line of a commit's message. Hostile text. */
  subject: z.string().exactOptional(),
  toolCount: z.number().exactOptional(),
  /** Against the version before it; absent for the first one, and where it was not compared. */
  counts: severityCounts.exactOptional(),
  /** For a tool's timeline: what this version did to it. */
  touch: z.enum(['added', 'changed', 'removed']).exactOptional(),
})
/** A version in a timeline. */
export type Version = z.infer<typeof version>

/** Newest first. */
const versionList = z.object({
  versions: list(version),
  /** Whether there are older ones than those listed. */
  more: z.boolean(),
  /** Whether labels can be set here: the list comes from a store, not from this run alone. */
  kept: z.boolean(),
})
export type VersionList = z.infer<typeof versionList>

const changelogPage = z.object({
  /** Of which versions: those that are kept, or those in git. */
  kind: versionKind,
  /** The kinds that the source has versions of. */
  kinds: list(versionKind),
  /** Newest first. */
  entries: list(entryShape),
  /** Names of versions among them that could not be read as a manifest. */
  unreadable: list(z.string()),
  /** What the next page begins after; absent on the last one. */
  nextCursor: z.string().exactOptional(),
  /** Of an export: where the feed lies, relative to the page. */
  feed: z.string().exactOptional(),
})
/** A page of a source's changelog. */
export type ChangelogPage = z.infer<typeof changelogPage>

const changelogQuery = z.object({
  limit: z.coerce.number<string | number>().int().min(1).max(100).default(30),
  /** Those that are kept where there are two or more, else those in git. */
  kind: versionKind.optional(),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(2_000).optional(),
})
export type ChangelogQuery = z.infer<typeof changelogQuery>

/** An open source that lists something else than the user saw last. */
const recentChange = z.object({
  source: z.string(),
  /** References of the two sides. */
  from: z.string(),
  to: z.string(),
  /** When the newer one was first seen. ISO 8601, UTC. */
  time: z.string(),
  counts: severityCounts,
})
export type RecentChange = z.infer<typeof recentChange>

/** How many of each kind are listed. */
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
  'PUT /api/sources/{name}/versions/{number}/labels/{label}': {
    right: 'write',
    about: 'Names a version; a label that names another version moves',
    params: z.object({
      name: z.string(),
      // What is no number names no version.
      number: z
        .union([z.string(), z.number()])
        .transform(given => (/^\d{1,9}$/.test(String(given)) ? Number(given) : 0)),
      label: z.string(),
    }),
    answer: versionList,
  },
  'DELETE /api/sources/{name}/labels/{label}': {
    right: 'write',
    about: 'Removes a label',
    params: z.object({ name: z.string(), label: z.string() }),
    answer: versionList,
  },
  'GET /api/changes': {
    right: 'read',
    about: 'Open sources that changed since the versions `looked`, or lately; the newest 6',
    query: z.object({
      /** `acme@3`, comma separated: what was seen last of each source. */
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

/** What was compared. `source` and `refs` are set where the side is what an open source lists now. */
const comparedSide = z.object({
  /** For people. */
  label: z.string(),
  source: z.string().exactOptional(),
  /** By name, the refs of the tools that can be opened, among those of `side`; of tools with one name, the first. */
  refs: z.record(z.string(), z.string()).exactOptional(),
  /** Of an answer: the tools that a change names. */
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
  /** The rules that the report follows: those that toolscope.json names. */
  rules: teamRules,
})
export type DiffAnswer = z.infer<typeof diffAnswer>

const reference = z.string().min(1).max(2000)
/** A side by its reference, or a manifest's text under the name of its file, which is not kept. */
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
      /** Severities by what any value meets, not only what callers that send declared fields meet. */
      strict: queryFlag.optional(),
    }),
    answer: diffAnswer,
  },
  'POST /api/diff': {
    right: 'read',
    about: 'The same, where a side may be the text of a manifest, which is not kept',
    body: z.object({ a: givenSide, b: givenSide, strict: z.boolean().optional() }),
    answer: diffAnswer,
  },
})
