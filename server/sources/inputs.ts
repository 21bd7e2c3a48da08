/** What a file of VS Code asks its user for (`inputs`), and the values that ours has given. */
import { z } from 'zod'
import type { ClientInput } from '../../core/api/clients.ts'
import { AppError } from '../../core/errors.ts'
import { jsonText, withoutUndefined } from '../../core/json/json.ts'

const option = z.union([z.string(), z.object({ label: z.string().optional(), value: z.string() })])
const inputShape = z.object({
  id: z.string(),
  type: z.string().optional(),
  description: z.string().optional(),
  password: z.boolean().optional(),
  default: z.string().optional(),
  options: z.array(option).optional(),
})

/** The inputs that an entry refers to (`${input:ID}`); one that the file does not describe is asked for as a secret. */
export function inputsOf(entry: unknown, described: unknown): readonly ClientInput[] {
  const known = (Array.isArray(described) ? described : []).flatMap(
    each => inputShape.safeParse(each).data ?? [],
  )
  const ids = new Set(
    Array.from((jsonText(entry) ?? '').matchAll(/\$\{input:([^{}"\\]+)\}/g), ([, id]) => id ?? ''),
  )
  return [...ids].map(id => {
    const input = known.find(each => each.id === id)
    const options = input?.options?.map(each =>
      typeof each === 'string'
        ? { label: each, value: each }
        : { label: each.label ?? each.value, value: each.value },
    )
    return {
      id,
      label: input?.description || id,
      isSecret: input === undefined || input.password === true,
      ...withoutUndefined({ default: input?.default, options }),
    }
  })
}

/** The values that the user has given, until Toolscope ends. They are in no store, no answer and no log. */
export class InputValues {
  private readonly values = new Map<string, string>()

  /** @param file that asks for it: a value counts for each server of the file, as in VS Code. Absolute. */
  set(file: string, id: string, value: string): void {
    this.values.set(keyOf(file, id), value)
  }

  get(file: string, id: string): string | undefined {
    return this.values.get(keyOf(file, id))
  }
}

/** The values for one server. */
export interface Inputs {
  /** By the ids. */
  readonly values: ReadonlyMap<string, string>
  /** Those of them that nothing may show. */
  readonly secrets: readonly string[]
}

const keyOf = (file: string, id: string) => JSON.stringify([file, id])

/** `perplexity-key` → `TOOLSCOPE_INPUT_PERPLEXITY_KEY`: no program that we start inherits it. */
const variableOf = (id: string) => `TOOLSCOPE_INPUT_${id.toUpperCase().replace(/\W/g, '_')}`

/**
 * The values of inputs: what the user has given, else an environment variable, else the file's default.
 * Throws AppError `inputs-needed`, which names those without one.
 */
export function readInputs(
  inputs: readonly ClientInput[],
  file: string,
  {
    values,
    environment,
  }: { readonly values: InputValues | undefined; readonly environment: NodeJS.ProcessEnv },
): Inputs {
  const givenValue = ({ id, default: usual }: ClientInput) =>
    values?.get(file, id) ?? environment[variableOf(id)] ?? usual
  const missing = inputs.filter(input => givenValue(input) === undefined)
  if (missing.length > 0)
    throw new AppError(
      'inputs-needed',
      missing.map(({ id, label }) => `${label} (\${input:${id}})`).join(', '),
      {
        hint: `Open it in "Add source", "From another client": the page asks for it. On the command line: set ${missing.map(({ id }) => variableOf(id)).join(', ')}.`,
      },
    )
  const text = (input: ClientInput) => givenValue(input) ?? ''
  return {
    values: new Map(inputs.map(input => [input.id, text(input)])),
    secrets: inputs.filter(({ isSecret }) => isSecret).map(text),
  }
}
