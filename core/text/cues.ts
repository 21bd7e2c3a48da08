/**
 * Finds cues in added words: things that a description should not contain. A cue is a hint for the user, not a verdict,
 * and names what was found. Only added text counts, because older text was accepted before. Most servers link to their
 * docs, name their other tools and mention API keys: such cues are shown, but do not raise the severity.
 */
import { diffWords, type WordRun } from './word-diff.ts'

interface Cue {
  readonly id: string
  /** Linear in the text: without nested repetition. */
  readonly pattern: RegExp
  readonly describe: (match: string) => string
  /** True if ordinary servers do this too. */
  readonly isOrdinary?: true
}

interface FoundCue {
  /** The id of the cue: `silence`, `other-tool`. */
  readonly id: string
  readonly text: string
  readonly isDangerous: boolean
}

/** Dangerous cues come first, so that the limit does not cut them. */
const cues: readonly Cue[] = [
  {
    id: 'silence',
    pattern:
      /\b(?:do not|don['’]t|never|without|avoid|refrain from) (?:ever |also )?(?:tell|telling|mention|mentioning|inform|informing|show|showing|reveal|revealing|disclose|disclosing|notify|notifying|report|reporting|ask|asking|alert|alerting)\b[^.\n]{0,60}/giu,
    describe: match => `asks for silence: “${match.slice(0, 60)}”`,
  },
  {
    id: 'unseen',
    pattern:
      /\b(?:secretly|silently|covertly|quietly|hide (?:this|it|that)|keep (?:this|it) (?:secret|hidden|private)|between us)\b/giu,
    describe: match => `speaks of doing things unseen: “${match}”`,
  },
  {
    id: 'set-aside',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instruction|instructions|prompt|prompts|rule|rules|polic(?:y|ies)|guideline|guidelines|safety|safeguards?)\b/giu,
    describe: match => `tells the model to set its instructions aside: “${match.slice(0, 60)}”`,
  },
  {
    id: 'instruction',
    pattern:
      /\b(?:you (?:must|should always|have to|are required to)|before (?:using|calling|running|invoking) (?:this|any|the|other)|after (?:using|calling|running) (?:this|any|the)|always (?:call|use|run|send|include|read|pass)|first, (?:call|use|run|read)|(?<=[.!?:;\n]\s{0,3})first (?:call|use|run|read)|must (?:first|always) )\b[^.\n]{0,60}/giu,
    describe: match => `gives the model an instruction: “${match.slice(0, 60)}”`,
  },
  {
    id: 'prompt-frame',
    pattern: /<\/?(?:important|system|instructions?|secret|hidden|assistant|user|admin)\b[^>]{0,40}>/giu,
    describe: match => `imitates the frame of a prompt: ${match.slice(0, 40)}`,
  },
  {
    id: 'user-secrets',
    pattern:
      /\b(?:private keys?|session tokens?|ssh keys?|id_rsa|mcp\.json|conversation history|chat history)|\.ssh\b/giu,
    describe: match => `speaks of the user’s secrets: “${match}”`,
  },
  {
    id: 'encoded',
    pattern: /(?:[A-Za-z0-9+/]{4}){20,}={0,2}/gu,
    describe: match => `holds ${match.length} characters that may be encoded text`,
  },
  {
    id: 'invisible',
    // Format and control characters, blanks without a glyph, and variation selectors of the supplement. The joiner
    // inside an emoji is visible, so it does not count.
    pattern:
      /(?!\u200d\p{Extended_Pictographic})\p{Cf}|(?![\t\n\r])\p{Cc}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0|[\u{e0100}-\u{e01ef}]/gu,
    describe: match =>
      `holds an invisible character: U+${(match.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  },
  {
    id: 'url',
    pattern: /\b(?:https?|wss?|ftp|file|data|javascript):[^\s"'<>)\]]{0,199}[^\s"'<>)\].,;:!?/]/giu,
    describe: match => `names a URL: ${match.slice(0, 80)}`,
    isOrdinary: true,
  },
  {
    id: 'prompt-words',
    pattern: /\b(?:system prompt|system message)\b/giu,
    describe: match => `speaks of the prompt: “${match}”`,
    isOrdinary: true,
  },
  {
    id: 'secret-words',
    pattern: /\b(?:api[ _-]?keys?|passwords?|credentials?|access tokens?)|\.env\b/giu,
    describe: match => `speaks of secrets: “${match}”`,
    isOrdinary: true,
  },
]

const maxCues = 12
const maxCharacters = 200_000

/**
 * @param others names of tools, without the tool's own
 * @returns at most 12 different cues, the dangerous ones first
 */
export function findCues(
  words: readonly WordRun[],
  others: ReadonlySet<string>,
  own: string | undefined,
): FoundCue[] {
  const { text, isAdded } = added(words)
  const found = new Map<string, FoundCue>()
  const add = (cue: FoundCue) => found.size < maxCues && found.set(cue.text, cue)
  for (const { id, pattern, describe, isOrdinary } of cues)
    for (const match of text.matchAll(pattern)) {
      if (found.size >= maxCues) break
      if (isAdded(match.index, match.index + match[0].length))
        add({ id, text: describe(match[0]), isDangerous: isOrdinary !== true })
    }
  for (const name of namedTools(words, others, own))
    add({ id: 'other-tool', text: `names another tool: ${name}`, isDangerous: false })
  return [...found.values()]
}

/**
 * Returns the new text, and a function that decides whether a range of it touches an addition: one added word may
 * complete a sentence.
 */
function added(words: readonly WordRun[]): { text: string; isAdded: (from: number, to: number) => boolean } {
  const ranges: (readonly [number, number])[] = []
  const parts: string[] = []
  let length = 0
  for (const { kind, text } of words) {
    if (kind === 'removed' || length >= maxCharacters) continue
    if (kind === 'added') ranges.push([length, length + text.length])
    parts.push(text)
    length += text.length
  }
  return {
    text: parts.join('').slice(0, maxCharacters),
    isAdded: (from, to) => ranges.some(([start, end]) => start < to && from < end),
  }
}

/** Returns names that are not ordinary words: `read` is a verb, but `read_file` and `api greet` are tools. */
function namedTools(
  words: readonly WordRun[],
  others: ReadonlySet<string>,
  own: string | undefined,
): string[] {
  const text = words
    .flatMap(({ kind, text }) => (kind === 'added' ? [text] : []))
    .join('\n')
    .slice(0, maxCharacters)
  const textBefore = words.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text])).join('')
  const tokens = text.match(/[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*/gu) ?? []
  const found = new Set<string>()
  for (const index of tokens.keys())
    for (let count = 1; count <= 3 && index + count <= tokens.length; count++) {
      const name = tokens
        .slice(index, index + count)
        .join(' ')
        .replace(/[.:/-]+$/u, '')
      if (name === own || !others.has(name) || !isDistinct(name)) continue
      if (!textBefore.includes(name)) found.add(name)
    }
  return [...found]
}

function isDistinct(name: string): boolean {
  return name.length >= 4 && /[\s_.:/-]|\p{Ll}\p{Lu}/u.test(name)
}

interface TextChange {
  readonly words: readonly WordRun[]
  readonly cues: readonly FoundCue[]
}

/** Names of tools on both sides, for the cue about other tools. */
export type ToolNames = ReadonlySet<string>

/** A change of text that a model reads: the changed words, and cues that need a second look. */
export function readTextChange(
  before: string,
  after: string,
  names: ToolNames,
  own: string | undefined,
): TextChange {
  const words = diffWords(before, after)
  return { words, cues: findCues(words, names, own) }
}

const maxTexts = 2_000
const maxDepth = 60

/** Returns every text in a value, names included, one per line, to search a new part for cues. */
export function addedText(value: unknown): string {
  const texts: string[] = []
  collect(value, texts, 0)
  return texts.join('\n')
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= maxTexts || depth > maxDepth) return
  if (typeof value === 'string') texts.push(value.slice(0, 20_000))
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      // References and the dialect are URLs that no model is asked to open.
      if (name === '$schema' || name === '$id' || name === '$ref') continue
      collect(item, texts, depth + 1)
    }
}
