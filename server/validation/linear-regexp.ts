/** Patterns for Ajv that cannot be made to backtrack: RE2 semantics, time linear in the text. */
import { RE2JS } from 're2js'

interface RegExpLike {
  test(text: string): boolean
  /** Ajv keeps one compiled pattern per text of this: it must differ between patterns. */
  toString(): string
}

/**
 * What Ajv wants of `code.regExp`. A pattern that RE2 lacks (look-around, back-references) runs on the
 * engine's own RegExp: the worker's time limit then stands between it and the server.
 */
export const linearRegExp = Object.assign(
  (pattern: string, _flags: string): RegExpLike => {
    const linear = compileLinear(pattern)
    return linear ?? compileNative(pattern)
  },
  // Only Ajv's standalone code generation reads it.
  { code: 'linearRegExp' },
)

function compileLinear(pattern: string): RegExpLike | null {
  try {
    // ECMA-262's $ is the end of the text alone, and so is RE2's without MULTILINE.
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { test: text => compiled.matcher(text).find(), toString: () => `linear:${pattern}` }
  } catch {
    return null
  }
}

/** JSON Schema asks for the `u` flag; real schemas hold patterns that are valid only without it. */
function compileNative(pattern: string): RegExpLike {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
