/** Reads the files of skills and verifies them (MCP extension `io.modelcontextprotocol/skills`, SEP-2640). */
import { createHash } from 'node:crypto'
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { toErrorMessage } from '../../core/errors.ts'
import { isSameJson } from '../../core/json/equality.ts'
import { isObject, own } from '../../core/json/json.ts'
import { readContents } from '../../core/manifest/read-skills.ts'
import { splitFrontmatter } from '../../core/text/frontmatter.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import { isSkillPath, skillFileName, skillFolder } from '../../core/tool/skill.ts'
import type {
  Callable,
  ManifestProblem,
  ManifestSkill,
  SkillContents,
  SkillFile,
} from '../../core/tool/tool.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import { failure } from '../sources/run-failure.ts'
import { relateToCall } from '../wire/emit.ts'
import { readServerResult } from './keep-results.ts'
import { anything } from './lenient-client.ts'
import { listPages, type PageLimits } from './list-pages.ts'
import { readAnswer } from './read-result.ts'

/** Bytes of one SKILL.md, and of those of a server together, that are compared with later versions. */
const maxTextBytes = 1_000_000
const maxTextsBytes = 4_000_000
/** Milliseconds for the texts of a server: the tools wait for them. */
const maxTextsMs = 15_000
const maxParallel = 8

interface TextParts {
  readonly listed: readonly ManifestSkill[]
  /** The skills of the previous list. A text with the same digest is not read again. */
  readonly before: readonly ManifestSkill[] | undefined
  readonly report: (problem: ManifestProblem) => void
}

/**
 * Returns the skills with the texts of their SKILL.md. A text that cannot be read is a problem. Rejects only if the signal
 * aborts.
 */
export async function addSkillTexts(
  client: Client,
  limits: PageLimits,
  { listed, before = [], report }: TextParts,
): Promise<readonly ManifestSkill[]> {
  const textByDigest = new Map(before.map(skill => [findFile(skill, skill.uri)?.digest, skill.text]))
  const result = [...listed]
  const reportFault = (problem: ManifestProblem) => {
    faulty += 1
    report(problem)
  }
  let leftBytes = maxTextsBytes
  let faulty = 0
  const readOne = async (skill: ManifestSkill, at: number, signal: AbortSignal) => {
    const file = findFile(skill, skill.uri)
    // A dynamic skill has another text each time.
    if (file === undefined) return
    if (file.size > maxTextBytes || file.size > leftBytes) return
    leftBytes -= file.size
    const known = textByDigest.get(file.digest)
    if (known !== undefined) {
      result[at] = { ...skill, text: known }
      return
    }
    try {
      const answer = await request(client, 'resources/read', { uri: skill.uri }, { ...limits, signal })
      const verified = verifyFile(file, answer)
      if (typeof verified !== 'string')
        result[at] = { ...skill, text: splitFrontmatter(String(verified)).body }
      else reportFault({ name: skill.name, message: `Its ${skillFileName} ${verified}.`, hint: faultHint })
    } catch (thrown) {
      if (signal.aborted) return
      const reason = toErrorMessage(thrown).slice(0, 300)
      reportFault({ name: skill.name, message: `Its ${skillFileName} could not be read: ${reason}` })
    }
  }
  const waiting = [...listed.entries()].reverse()
  const readNext = async (signal: AbortSignal) => {
    for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop())
      await readOne(next[1], next[0], signal)
  }
  await runWithLimit([limits.signal], maxTextsMs, signal =>
    Promise.all(Array.from({ length: maxParallel }, () => readNext(signal))),
  ).catch((thrown: unknown) => {
    if (!isTimeLimit(thrown)) throw thrown
  })
  const unread = result.filter(skill => skill.text === undefined && findFile(skill, skill.uri) !== undefined)
  const leftOut = unread.length - faulty
  if (leftOut > 0)
    report({
      message: `The text of ${leftOut} ${leftOut === 1 ? 'skill' : 'skills'} was not read: it is too large, or the server is slow. Its changes are found by its digest.`,
    })
  return result
}

/** The connection and the limits of a running call. */
export interface SkillCall {
  readonly client: Client
  readonly limits: PageLimits
  /** The list was approved: a file that it does not have, or in another version, is refused. */
  readonly isPinned?: boolean | undefined
}

/**
 * Reads a file of a skill, or lists a folder, and returns the ending. The server's present entry is asked for first; the
 * file must have its size and digest. Rejects as the requests do.
 */
export async function readSkill(
  { uri = '', skill = { files: [] } }: Callable,
  input: unknown,
  { client, limits, isPinned = false }: SkillCall,
): Promise<SessionEvent> {
  const given = isObject(input) ? own(input, 'file') : undefined
  const path = given === undefined || given === '' ? skillFileName : given
  if (typeof path !== 'string' || !isSkillPath(path.replace(/\/$/, '')))
    return failure('not-found', `${JSON.stringify(path)} is not a path in the skill.`)
  const fileUri = `${skillFolder(uri)}${path}`
  if (path.endsWith('/')) return listFolder(client, fileUri.slice(0, -1), limits)
  const present = await getPresent(client, uri, limits)
  const hasChanged = present !== undefined && !isSameJson(present.files, skill.files)
  if (hasChanged && isPinned) return otherVersion
  const contents = present ?? skill
  const file = findFile(contents, fileUri)
  if (contents.files !== 'dynamic' && file === undefined)
    return failure(
      'not-found',
      `The skill lists no file ${path}.`,
      'Refresh the source for its present files.',
    )
  const answer = await request(client, 'resources/read', { uri: fileUri }, limits)
  const ending = readAnswer({ name: path, kind: 'resource', inputSchema: true }, answer)
  if (ending.type !== 'result') return ending
  const notes = [ending.note, hasChanged ? changedNote : undefined]
  if (file === undefined) notes.push('not verified: the files of a dynamic skill have no digests')
  else {
    const verified = verifyFile(file, answer)
    if (typeof verified === 'string')
      return {
        ...failure('bad-output', `${path} ${verified}.`, faultHint),
        content: isPinned ? [] : ending.content,
        note: 'A client must not load this file.',
      }
    notes.push(`verified: ${file.size.toLocaleString('en')} bytes, ${file.digest}`)
  }
  return { ...ending, note: notes.filter(note => note !== undefined).join(' · ') }
}

const otherVersion = failure(
  'not-approved',
  'Not read. The server has another version of the skill than the approved one.',
  'Refresh the source, and compare it with what was approved: toolscope pin --check.',
)
const changedNote = 'the skill changed since its list was read: refresh the source'
const faultHint =
  'It changed on its way, or the server’s list is out of date. Refresh the source; if it stays, do not use the skill.'

/** Returns the server's present entry; undefined if the server cannot say. */
async function getPresent(
  client: Client,
  uri: string,
  limits: PageLimits,
): Promise<Pick<SkillContents, 'files'> | undefined> {
  try {
    const answer = await request(client, 'skills/get', { uri }, limits)
    const entry = isObject(answer) ? own(answer, 'skill') : undefined
    return isObject(entry) && own(entry, 'uri') === uri ? readContents(entry, uri, () => {}) : undefined
  } catch (thrown) {
    if (thrown instanceof ProtocolError && thrown.code === ProtocolErrorCode.MethodNotFound) return undefined
    throw thrown
  }
}

async function listFolder(client: Client, uri: string, limits: PageLimits): Promise<SessionEvent> {
  const resources: unknown[] = []
  const notes: string[] = []
  const list = { method: 'resources/directory/read', key: 'resources', fixed: { uri } }
  await listPages(
    client,
    list,
    limits,
    note => notes.push(note),
    page => resources.push(...page),
  )
  const structuredContent = { resources }
  return {
    type: 'result',
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(notes.length === 0 ? {} : { note: notes.join(' · ') }),
  }
}

const request = async (
  client: Client,
  method: string,
  params: Record<string, unknown>,
  { signal, timeoutMs, callId }: PageLimits,
): Promise<unknown> =>
  readServerResult(
    await client.request({ method, params }, anything, {
      signal,
      timeout: timeoutMs,
      ...relateToCall(callId),
    }),
  )

const findFile = ({ files }: Pick<SkillContents, 'files'>, uri: string) =>
  files === 'dynamic' ? undefined : files.find(file => file.uri === uri)

/**
 * Returns how an answer to resources/read differs from the file that the skill lists, as the end of a sentence. Otherwise
 * returns the verified bytes: every content of the answer was compared.
 */
function verifyFile({ uri, digest, size }: SkillFile, answer: unknown): Buffer | string {
  const contents = isObject(answer) ? own(answer, 'contents') : undefined
  const list: readonly unknown[] = Array.isArray(contents) ? contents : []
  const found = list.find(content => isObject(content) && own(content, 'uri') === uri)
  if (!isObject(found)) return 'is missing in the server’s answer'
  if (list.length > 1) return 'is not the only content of the server’s answer'
  const [text, blob] = [own(found, 'text'), own(found, 'blob')]
  if (typeof text !== 'string' && typeof blob !== 'string') return 'is missing in the server’s answer'
  const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(String(blob), 'base64')
  // Node ignores what is not base64; another reader may not.
  if (typeof text !== 'string' && bytes.toString('base64') !== blob) return 'is not written in plain base64'
  if (bytes.length !== size)
    return `is not the file that the skill lists: it has ${bytes.length} bytes instead of ${size}`
  const actual = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return actual === digest
    ? bytes
    : `is not the file that the skill lists: its digest is ${actual} instead of ${digest}`
}
