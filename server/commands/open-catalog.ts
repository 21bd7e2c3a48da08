/** Opens what a command was given: the named sources, or those of the configuration. */
import { AppError, toAppError } from '../../core/errors.ts'
import { Catalog } from '../catalog.ts'
import { type Config, loadConfig } from '../config.ts'
import { detectSources, type SourceArgument, type SourceSpec } from '../sources/index.ts'
import type { SourceContext } from '../sources/source.ts'
import type { CommandContext } from './command.ts'

export interface CatalogInput {
  readonly sources: readonly SourceArgument[]
  readonly config?: string | undefined
}

export interface Prepared {
  readonly catalog: Catalog
  readonly specs: readonly SourceSpec[]
  readonly context: SourceContext
  /** Arguments that named nothing; the others are unharmed. */
  readonly failures: readonly AppError[]
  readonly config: Config
}

/** Finds out what is meant; opens nothing yet. */
export async function prepareCatalog(input: CatalogInput, command: CommandContext): Promise<Prepared> {
  const config = loadConfig(command.directory, input.config)
  const named = input.sources.length > 0
  const context: SourceContext = {
    directory: named ? command.directory : config.directory,
    environment: command.environment,
  }
  const specs: SourceSpec[] = named ? [] : [...config.sources]
  const failures: AppError[] = []
  for (const argument of input.sources) {
    const configured = config.sources.find(spec => spec.settings.name === argument)
    try {
      specs.push(...(configured ? [configured] : await detectSources(argument, context)))
    } catch (thrown) {
      failures.push(toAppError(thrown))
    }
  }
  return { catalog: new Catalog(context), specs, context, failures, config }
}

/** Opens everything and waits. Throws AppError `usage` when there is nothing to open. */
export async function openCatalog(input: CatalogInput, command: CommandContext): Promise<Prepared> {
  const prepared = await prepareCatalog(input, command)
  if (input.sources.length === 0 && prepared.specs.length === 0)
    throw new AppError('usage', 'no source was named and there is no toolscope.json here or above', {
      hint: 'Name one: toolscope list <program or manifest.json>.',
    })
  await Promise.all(prepared.specs.map(spec => prepared.catalog.add(spec)))
  return prepared
}

/** Every source that gave no list, as errors. */
export function openFailures(prepared: Prepared): AppError[] {
  const failed = prepared.catalog
    .sources()
    .filter(source => source.status === 'failed')
    .flatMap(source =>
      source.error === undefined
        ? []
        : [
            new AppError(source.error.code, `${source.name}: ${source.error.detail}`, {
              output: source.error.output,
              hint: source.error.hint,
            }),
          ],
    )
  return [...prepared.failures, ...failed]
}
