/** Compares what a server declares about itself: instructions, capabilities, icons. */
import { jsonEquals } from '../json/equality.ts'
import { isObject } from '../json/json.ts'
import { addedText } from '../text/cues.ts'
import type { DiffSide } from './change.ts'
import type { UnratedChange } from './rate-change.ts'
import { howChanged, inWords, sides } from './rules/schema-rule.ts'

/** The ids of these rules, each with its description. */
export const serverRuleDescriptions = {
  'instructions-changed': 'The server’s instructions for the model changed.',
  'capability-added': 'The server declares another capability.',
  'capability-removed': 'The server no longer declares a capability.',
  'capability-changed': 'A capability that the server declares changed.',
  'icons-changed': 'The icons of the server changed.',
}

export function compareServers(before: DiffSide, after: DiffSide): UnratedChange[] {
  return [...instructions(before, after), ...capabilities(before, after), ...icons(before, after)]
}

function instructions(
  { instructions: before }: DiffSide,
  { instructions: after }: DiffSide,
): UnratedChange[] {
  if (before === after) return []
  return [
    {
      rule: 'instructions-changed',
      direction: 'text',
      path: 'instructions',
      message: `instructions of the server ${howChanged(before, after)}`,
      ...sides(before, after),
      text: { before: before ?? '', after: after ?? '' },
      showWords: true,
    },
  ]
}

/** Compares capabilities by name and one level deeper (`resources.subscribe`). `false` counts as absent. */
function capabilities(
  { capabilities: before }: DiffSide,
  { capabilities: after }: DiffSide,
): UnratedChange[] {
  const [leavesBefore, leavesAfter] = [leaves(before), leaves(after)]
  return [...new Set([...leavesBefore.keys(), ...leavesAfter.keys()])].flatMap((name): UnratedChange[] => {
    const [valueBefore, valueAfter] = [leavesBefore.get(name), leavesAfter.get(name)]
    if (jsonEquals(valueBefore, valueAfter)) return []
    const how = howChanged(valueBefore, valueAfter)
    const more = how === 'changed' ? `: ${inWords(valueBefore)} → ${inWords(valueAfter)}` : ''
    return [
      {
        rule: `capability-${how}`,
        direction: 'annotation',
        path: `capabilities.${name}`,
        message: `capability ${name} ${how}${more}`,
        ...sides(valueBefore, valueAfter),
        text: { before: addedText(valueBefore), after: addedText(valueAfter) },
      },
    ]
  })
}

function leaves(given: DiffSide['capabilities'] = {}): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(given)
      .flatMap(([name, value]): (readonly [string, unknown])[] =>
        isObject(value)
          ? [
              [name, true],
              ...Object.entries(value).map(([inner, leaf]) => [`${name}.${inner}`, leaf] as const),
            ]
          : [[name, value]],
      )
      .filter(([, value]) => value !== false && value !== undefined),
  )
}

function icons({ icons: before }: DiffSide, { icons: after }: DiffSide): UnratedChange[] {
  if (jsonEquals(before, after)) return []
  const message = `icons of the server ${howChanged(before, after)}`
  return [{ rule: 'icons-changed', direction: 'annotation', path: 'icons', message, ...sides(before, after) }]
}
