/** The rules about a tool that is in both manifests: its texts, annotations and output schema. */

import { jsonEquals } from '../../json/equality.ts'
import { isObject } from '../../json/json.ts'
import { addedText } from '../../text/cues.ts'
import { skillFileName, toSkillPath } from '../../tool/skill.ts'
import type { Callable, ManifestTool } from '../../tool/tool.ts'
import type { Change, Direction } from '../change.ts'
import { changedTexts, changeInWords, howChanged, inWords, sides } from './schema-rule.ts'

/** A change without its severity and fingerprint. */
export interface ToolFinding extends Pick<Change, 'message' | 'path' | 'before' | 'after'> {
  readonly rule: string
  readonly direction: Direction
  /** Texts that a model reads, before and after. */
  readonly text?: { readonly before: string; readonly after: string }
}

export interface ToolDiffRule {
  readonly ids: Readonly<Record<string, string>>
  find(before: ManifestTool, after: ManifestTool): readonly ToolFinding[]
}

const toolText: ToolDiffRule = {
  ids: {
    'title-changed': 'The title of a tool changed.',
    'description-changed': 'The description of a tool changed.',
  },
  find(before, after) {
    return changedTexts(['title', 'description'], { ...before }, { ...after }).map(
      ({ field, ...finding }) => ({
        rule: `${field}-changed`,
        direction: 'text',
        path: field,
        ...finding,
      }),
    )
  },
}

/** Annotations, and fields of the format besides the documented ones. */
const annotations: ToolDiffRule = {
  ids: {
    'safety-lowered': 'A tool is no longer marked read-only, or is now marked destructive.',
    'safety-raised': 'A tool is now marked read-only, or is no longer marked destructive.',
    'annotation-changed': 'Another annotation of a tool changed.',
    'extra-changed': 'A field that is not part of the manifest format changed.',
  },
  find(before, after) {
    return [
      ...fields('annotations', before.annotations, after.annotations),
      ...fields('extra', before.extra, after.extra),
    ]
  },
}

function fields(group: 'annotations' | 'extra', before: object = {}, after: object = {}): ToolFinding[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap(name => {
    const [valueBefore, valueAfter] = [readOwnField(before, name), readOwnField(after, name)]
    if (name === 'execution' && jsonEquals(readExecution(valueBefore), readExecution(valueAfter))) return []
    if (jsonEquals(valueBefore, valueAfter)) return []
    return [
      {
        rule: group === 'extra' ? 'extra-changed' : pickAnnotationRule(name, valueBefore, valueAfter),
        direction: 'annotation' as const,
        path: `${group}.${name}`,
        message: `${group === 'extra' ? '' : 'annotations.'}${name} ${inWords(valueBefore)} → ${inWords(valueAfter)}`,
        ...sides(valueBefore, valueAfter),
        text: { before: addedText(valueBefore), after: addedText(valueAfter) },
      },
    ]
  })
}

/** A tool that does not mention tasks forbids them (MCP 2025-11-25, server/tools, `execution.taskSupport`). */
function readExecution(value: unknown): unknown {
  const { taskSupport = 'forbidden', ...rest } = isObject(value) ? value : {}
  return { taskSupport, ...rest }
}

/** Absent hints have the default meaning of MCP: not read-only, destructive. */
function pickAnnotationRule(name: string, before: unknown, after: unknown): string {
  if (name === 'readOnlyHint') {
    if (before === true) return 'safety-lowered'
    return after === true ? 'safety-raised' : 'annotation-changed'
  }
  if (name === 'destructiveHint') {
    // An explicit default changes nothing.
    if (before === undefined && after !== false) return 'annotation-changed'
    if (after === true || after === undefined)
      return before === false ? 'safety-lowered' : 'annotation-changed'
    if (after === false) return 'safety-raised'
  }
  return 'annotation-changed'
}

function readOwnField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as { readonly [name: string]: unknown })[name] : undefined
}

const outputSchema: ToolDiffRule = {
  ids: {
    'output-schema-added': 'A tool now declares an output schema.',
    'output-schema-removed': 'A tool no longer declares an output schema.',
  },
  find({ outputSchema: before }, { outputSchema: after }) {
    // compare-tools.ts handles a removed output schema.
    if (before !== undefined || after === undefined) return []
    return [
      { rule: 'output-schema-added', direction: 'output', path: '', message: 'output schema added', after },
    ]
  },
}

const mimeType: ToolDiffRule = {
  ids: { 'mime-type-changed': 'The declared media type of a resource or template changed.' },
  find(before: Callable, after: Callable) {
    return changedTexts(['mimeType'], { ...before }, { ...after }).map(({ field, text: _, ...finding }) => ({
      rule: 'mime-type-changed',
      direction: 'output',
      path: field,
      ...finding,
      message: `media type ${changeInWords(before.mimeType, after.mimeType)}`,
    }))
  },
}

/** The files of a skill. The change of a text that was read is one finding, not a second one by its digest. */
const skill: ToolDiffRule = {
  ids: {
    'skill-text-changed': 'The Markdown of a skill changed.',
    'skill-file-changed': 'A file of a skill was added or removed, or has another digest.',
  },
  find(before: Callable, after: Callable) {
    const [old, now] = [before.skill, after.skill]
    if (old === undefined || now === undefined) return []
    const areRead = old.text !== undefined && now.text !== undefined
    const texts = areRead ? changedTexts(['text'], { ...old }, { ...now }) : []
    return [
      ...texts.map(({ field: _, message: __, ...finding }) => ({
        rule: 'skill-text-changed',
        direction: 'text' as const,
        path: skillFileName,
        message: `${skillFileName} changed`,
        ...finding,
      })),
      ...compareFiles(before, after, areRead),
    ]
  },
}

/** @param isTextRead the texts of both SKILL.md are compared as such */
function compareFiles(before: Callable, after: Callable, isTextRead: boolean): readonly ToolFinding[] {
  const [filesBefore, filesAfter] = [before, after].map(({ uri = '', skill }) =>
    skill === undefined || skill.files === 'dynamic'
      ? undefined
      : new Map(skill.files.map(file => [toSkillPath(uri, file.uri) ?? file.uri, file])),
  )
  const finding = (path: string, message: string, fileBefore: unknown, fileAfter: unknown): ToolFinding => ({
    rule: 'skill-file-changed',
    direction: 'tool',
    path,
    message,
    ...sides(fileBefore, fileAfter),
  })
  if (filesBefore === undefined || filesAfter === undefined) {
    if (filesBefore === filesAfter) return []
    const message = `the files are ${filesAfter === undefined ? 'dynamic now: their digests are unknown' : 'listed now, with digests'}`
    return [finding('', message, before.skill?.files, after.skill?.files)]
  }
  return [...new Set([...filesBefore.keys(), ...filesAfter.keys()])].flatMap(path => {
    const [old, now] = [filesBefore.get(path), filesAfter.get(path)]
    if (old?.digest === now?.digest || (path === skillFileName && isTextRead)) return []
    const sizes = old && now ? `: ${old.size} → ${now.size} bytes` : ''
    return [finding(path, `file ${path} ${howChanged(old, now)}${sizes}`, old, now)]
  })
}

export const toolDiffRules: readonly ToolDiffRule[] = [toolText, annotations, outputSchema, mimeType, skill]
