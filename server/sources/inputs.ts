/** The inputs that a VS Code file asks its user for (`inputs`), and the values that the user entered in Toolscope. */
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

type DescribedInputs = ReadonlyMap<string, z.infer<typeof inputShape>>

/** Returns the inputs that a file describes, by id; of equal ids the first. Entries of another shape are ignored. */
export function describedInputs(inputs: unknown): DescribedInputs {
  const known = (Array.isArray(inputs) ? inputs : []).flatMap(each => inputShape.safeParse(each).data ?? [])
  return new Map(known.reverse().map(input => [input.id, input]))
}

/**
 * Returns the inputs that an entry refers to (`${input:ID}`). An input without a description is treated as a secret.
 */
export function findInputs(entry: unknown, described: DescribedInputs): readonly ClientInput[] {
  const ids = new Set(
    Array.from((jsonText(entry) ?? '').matchAll(/\$\{input:([^{}"\\]+)\}/g), ([, id]) => id ?? ''),
  )
  return [...ids].map(id => {
    const input = described.get(id)
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

/** Holds the user's values in memory until Toolscope ends. They are never stored, sent or logged. */
export class InputValues {
  private readonly values = new Map<string, string>()

  /** @param file the absolute path of the file that asks; a value applies to each server of the file, as in VS Code */
  set(file: string, id: string, value: string): void {
    this.values.set(toInputKey(file, id), value)
  }

  get(file: string, id: string): string | undefined {
    return this.values.get(toInputKey(file, id))
  }
}

/** The values for one server. */
export interface Inputs {
  /** The values by input id. */
  readonly values: ReadonlyMap<string, string>
  /** The values that must not be shown. */
  readonly secrets: readonly string[]
}

const toInputKey = (file: string, id: string) => JSON.stringify([file, id])

/** `perplexity-key` → `TOOLSCOPE_INPUT_PERPLEXITY_KEY`: programs of sources do not inherit such variables. */
export const toInputVariable = (id: string): string =>
  `TOOLSCOPE_INPUT_${id.toUpperCase().replace(/\W/g, '_')}`

/**
 * Returns the values of inputs: the user's value, else an environment variable, else the file's default.
 * Throws AppError `inputs-needed` with the inputs that have no value.
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
    values?.get(file, id) ?? environment[toInputVariable(id)] ?? usual
  const missing = inputs.filter(input => givenValue(input) === undefined)
  if (missing.length > 0)
    throw new AppError(
      'inputs-needed',
      missing.map(({ id, label }) => `${label} (\${input:${id}})`).join(', '),
      {
        hint: `Open it in "Add source", "From another client": the page asks for it. On the command line: set ${missing.map(({ id }) => toInputVariable(id)).join(', ')}.`,
      },
    )
  const text = (input: ClientInput) => givenValue(input) ?? ''
  return {
    values: new Map(inputs.map(input => [input.id, text(input)])),
    secrets: inputs.filter(({ isSecret }) => isSecret).map(text),
  }
}
