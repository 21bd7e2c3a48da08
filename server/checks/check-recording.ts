/** Checks whether the calls of a recording work with a newer list of tools: of a source, a version or a manifest file. */
import type { DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { AppError } from '../../core/errors.ts'
import { checkFrozenCalls, type FrozenCall } from '../../core/wire/frozen-calls.ts'
import { type RecordedCall, RecordedCallReader } from '../../core/wire/recorded-calls.ts'
import { readRecording } from '../wire/recording-file.ts'
import type { Validator } from '../workers/validator.ts'

/**
 * Reads the calls of one source of a recording. Throws AppError of readRecording, and `usage` if the recording does not
 * have the source, or has several and none is named.
 *
 * @param name of the source in the recording
 */
export async function readCallsOfRecording(file: string, name?: string) {
  const sources: string[] = []
  const reader = new RecordedCallReader()
  for await (const { line } of readRecording(file)) {
    if (line.type === 'source') sources[line.source] = line.name
    if (line.type === 'message' && (name === undefined || sources[line.source] === name)) reader.add(line)
  }
  if (name === undefined ? sources.length > 1 : !sources.includes(name))
    throw new AppError('usage', `${file} contains ${sources.join(', ') || 'no source'}`, {
      hint: `Name one of these: ${sources.map(each => `${file}#${each}`).join(', ')}`,
    })
  return reader.calls()
}

/** Decides each call by the two lists; starts nothing. */
export async function checkRecording(
  calls: readonly RecordedCall[],
  before: DiffSide,
  after: DiffSide,
  validator: Validator,
): Promise<readonly FrozenCall[]> {
  const report = await diffManifests(before, after)
  return checkFrozenCalls({
    calls,
    before,
    after,
    report,
    validate: (schema, value) => validator.validate(schema, value),
  })
}
