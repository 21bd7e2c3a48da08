/** Reads the output of an incur program with `--format jsonl`: one JSON value, or the lines of a stream. */

import { isObject, own, parseJson, type UnknownObject } from '../../core/json/json.ts'
import { toPointer } from '../../core/json/pointer.ts'
import type { ValidationIssue } from '../../core/tool/invocation.ts'
import type { FailureCause } from './run-failure.ts'

export interface IncurOutput {
  /** Absent if the output is empty or not JSON. The chunks of a stream are a list. */
  readonly value?: unknown
  /** The number of chunks, if it was a stream. */
  readonly chunks?: number
  readonly error?: FailureCause
}

/** @param failed whether the program ended with an error: only then a single object can be an error */
export function readIncurOutput(stdout: string, failed: boolean): IncurOutput {
  const text = stdout.trim()
  if (text === '') return {}
  const stream = readStream(text)
  if (stream !== null) return stream
  const whole = parseJson(text)
  if (whole === undefined) return {}
  return failed && isObject(whole) && typeof own(whole, 'message') === 'string'
    ? { error: toError(whole) }
    : { value: whole }
}

/** Returns null unless every line belongs to a stream. A stream without an end (a killed program) counts too. */
function readStream(text: string): IncurOutput | null {
  const chunks: unknown[] = []
  let error: FailureCause | undefined
  for (const line of text.split('\n')) {
    const record = parseJson(line)
    if (!isObject(record)) return null
    const type = own(record, 'type')
    if (type === 'chunk') chunks.push(own(record, 'data'))
    else if (type === 'error' && own(record, 'ok') === false) {
      const cause = own(record, 'error')
      error = toError(isObject(cause) ? cause : {})
    } else if (type !== 'done' || typeof own(record, 'ok') !== 'boolean') return null
  }
  return { value: chunks, chunks: chunks.length, ...(error === undefined ? {} : { error }) }
}

function toError(error: UnknownObject): FailureCause {
  const text = (key: string) => {
    const value = own(error, key)
    return typeof value === 'string' ? value : undefined
  }
  const code = text('code')
  const message = (text('message') ?? 'The program gave no message.').split('\n\nDetails: ')[0] ?? ''
  const fields = own(error, 'fieldErrors')
  const issues = Array.isArray(fields) ? fields.filter(isObject).slice(0, 100).map(toIssue) : []
  const retryable = own(error, 'retryable')
  const hint =
    issues.length > 0
      ? 'The places are marked below.'
      : retryable === true
        ? 'The program says that trying again may help.'
        : retryable === false
          ? 'The program says that trying again does not help.'
          : undefined
  return {
    message: code === undefined || code === 'UNKNOWN' ? message : `${code}: ${message}`,
    ...(hint === undefined ? {} : { hint }),
    ...(issues.length === 0 ? {} : { issues }),
  }
}

/** incur joins a path with dots, so a dot inside a name cannot be distinguished. */
function toIssue(field: UnknownObject): ValidationIssue {
  const text = (key: string, otherwise: string) => {
    const value = own(field, key)
    return typeof value === 'string' && value !== '' ? value : otherwise
  }
  const path = text('path', '')
  const missing = own(field, 'missing') === true
  const expected = text('expected', '')
  return {
    path: path === '' ? '' : toPointer(path.split('.')),
    keyword: missing ? 'required' : text('code', 'invalid'),
    message: text('message', 'refused by the program'),
    ...(expected === '' ? {} : { expected }),
  }
}
