/** Why a tool of the tree failed, read from its stderr: a missing program, a Python traceback, a JavaScript error. */

import { pointerStep } from '../../core/json/pointer.ts'
import type { ValidationIssue } from '../../core/tool/invocation.ts'
import { missingValue } from '../../core/validation/read-issues.ts'
import { exitMessage, type FailureCause } from '../sources/run-failure.ts'

/**
 * A command that the script could not find. A Bash tool without argc ends with exit 0 and an empty result, so this
 * is asked of endings that look well too; only argc counts then, because a script may live without another command.
 */
export function missingCommand(stderr: string, endedWell: boolean): FailureCause | null {
  // bash: `x.sh: line 9: argc: command not found`; dash: `x.sh: 9: argc: not found`; env: `env: ‘argc’: No such file`.
  const found = /(?:^|[\s:])([\w.+-]+): (?:command )?not found\s*$/m.exec(stderr)
  const byEnv = /^(?:\S*\/)?env: .?([\w.+-]+?)[’'"]?: No such file or directory/m.exec(stderr)
  const command = found?.[1] ?? byEnv?.[1]
  if (command === undefined || (endedWell && command !== 'argc')) return null
  if (command === 'argc')
    return {
      message: 'The tool needs argc, which is not installed.',
      hint: 'Install it (https://github.com/sigoden/argc#install) and see that it is on the PATH. Without it, every Bash tool ends with exit code 0 and no result.',
    }
  return {
    message: `The tool needs the program ${command}, which was not found.`,
    hint: `Install ${command}, or put it on the PATH.`,
  }
}

export function classifyFailure(stderr: string, exit: string): FailureCause {
  return (
    missingCommand(stderr, false) ??
    pythonTraceback(stderr) ??
    runnerWords(stderr) ??
    javascriptError(stderr) ?? { message: exitMessage(stderr, exit) }
  )
}

function pythonTraceback(stderr: string): FailureCause | null {
  const start = stderr.lastIndexOf('Traceback (most recent call last):')
  if (start < 0) return null
  const message = /^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:: .*)?$/m.exec(
    // The frames are indented; the first line that is not names the exception.
    stderr
      .slice(start)
      .split('\n')
      .slice(1)
      .filter(line => /^\S/.test(line))
      .join('\n'),
  )?.[0]
  if (message === undefined) return { message: 'The Python tool ended with a traceback.' }
  const issues = wrongArguments(message)
  return issues.length === 0
    ? { message, hint: 'The traceback in the logs says where.' }
    : { message, hint: 'The function of the tool does not take this input.', issues }
}

/** Python's words for a call that does not fit the function, as places in the input. */
function wrongArguments(message: string): ValidationIssue[] {
  const unexpected = /got an unexpected keyword argument '([^']+)'/.exec(message)?.[1]
  if (unexpected !== undefined)
    return [issueAt(unexpected, 'additionalProperties', 'is not taken by the function')]
  const missing =
    /missing \d+ required (?:positional|keyword-only) arguments?: (.+)$/.exec(message)?.[1] ?? ''
  return [...missing.matchAll(/'([^']+)'/g)].map(([, name = '']) => issueAt(name, 'required', missingValue))
}

/** What the runners themselves say of an input that they cannot read. */
function runnerWords(stderr: string): FailureCause | null {
  const words = /\b(?:Invalid|No) JSON data\b/i.exec(stderr)?.[0]
  if (words === undefined) return null
  return {
    message: `The tool’s runner said: ${words}.`,
    hint: 'It takes one JSON object. Where the input is one, the runner’s own JSON reader (jq) refused it.',
  }
}

function javascriptError(stderr: string): FailureCause | null {
  const message = /^(?:Uncaught )?((?:\w*Error|Error \[\w+\]): .*)$/m.exec(stderr)?.[1]
  return message === undefined ? null : { message }
}

function issueAt(name: string, keyword: string, message: string): ValidationIssue {
  return { path: pointerStep(name), keyword, message }
}
