/** Source kind: a command-line program that describes itself with `--llms` and takes its input as `--json <value>`. */

import { resolve } from 'node:path'
import { withoutUndefined } from '../../core/json/json.ts'
import { maskWords } from '../../core/tool/mask-words.ts'
import { type ManifestTool, nameSegments } from '../../core/tool/tool.ts'
import { fileStatus, findOnPath, resolveProgram, shownCommand } from '../process/command-line.ts'
import { callIncur, programOfNames } from './call-incur.ts'
import { callProgram } from './call-program.ts'
import { programEnvironment } from './program-environment.ts'
import { programFiles } from './program-files.ts'
import { type LlmsProgramConfig, readProgramManifest, usualFlags } from './read-manifest.ts'
import type { CallArguments, Session, SourceContext, SourceKind, SourceSettings } from './source.ts'

export const llmsProgram: SourceKind<LlmsProgramConfig> = {
  kind: 'llms-program',

  async detect(words, context) {
    const [program = ''] = words
    const named =
      fileStatus(resolve(context.directory, program))?.isFile() || findOnPath(program, context.environment)
    return named ? { command: words } : null
  },

  async open(config, settings, context) {
    return new LlmsProgramSession(config, settings, context)
  },
}

class LlmsProgramSession implements Session {
  readonly label: string
  readonly secrets: readonly string[]
  private readonly base: {
    argv: readonly string[]
    flags: typeof usualFlags
    directory: string
    environment: NodeJS.ProcessEnv
    listTimeoutMs: number | undefined
  }
  /** With an incur program: the argv that its names start from. */
  private incurArgv: readonly string[] | undefined
  private readonly subprograms: readonly string[]
  /** The only listed tool, when there is just one: it may be the program itself. */
  private lone: ManifestTool | undefined
  /** Whether that lone tool is the program itself, once a call has shown it. */
  private programIsTool: boolean | undefined

  constructor(config: LlmsProgramConfig, settings: SourceSettings, context: SourceContext) {
    const directory = resolve(context.directory, config.directory ?? '.')
    const argv = resolveProgram(config.command, directory, context.environment)
    this.base = {
      argv,
      flags: { ...usualFlags, ...withoutUndefined({ ...config.flags }) },
      directory,
      environment: programEnvironment(context.environment, settings, 'everything'),
      listTimeoutMs: settings.listTimeoutMs,
    }
    this.subprograms = config.subprograms ?? []
    this.label = shownCommand(config.command)
    this.secrets = maskWords(config.command).secrets
  }

  /** Asked after each reading: a program may import other files than before. */
  get watch(): readonly string[] {
    return programFiles(this.base.argv, this.base.directory)
  }

  about() {
    const { input } = this.base.flags
    return input === usualFlags.input ? {} : { inputFlag: input }
  }

  async manifest(signal: AbortSignal) {
    const manifest = await readProgramManifest({ ...this.base, subprograms: this.subprograms }, signal)
    this.incurArgv = manifest.format === 'incur' ? programOfNames(this.base.argv, manifest.tools) : undefined
    const [first] = manifest.tools
    this.lone =
      manifest.tools.length === 1 && first && nameSegments(first.name).length === 1 ? first : undefined
    return manifest
  }

  call(...parts: CallArguments) {
    const [{ name }] = parts
    if (this.incurArgv !== undefined) return callIncur({ ...this.base, argv: this.incurArgv }, ...parts)
    const isLone = name === this.lone?.name
    const call = {
      ...this.base,
      addresses: isLone ? this.loneAddresses(name) : [nameSegments(name)],
      accepted: (address: readonly string[]) => {
        if (isLone) this.programIsTool = address.length === 0
      },
    }
    return callProgram(call, ...parts)
  }

  async close() {
    // Nothing stays open between calls.
  }

  /**
   * A manifest with one plain name comes from a program that is itself the tool (`solo`), from a leaf
   * (`acme api greet`), or from a program with a single command; the manifest does not say which. A program
   * named like its tool is taken for the tool first; the other reading follows if its parser refuses.
   */
  private loneAddresses(name: string): readonly (readonly string[])[] {
    const asTool: readonly string[] = []
    const asCommand = [name]
    if (this.programIsTool !== undefined) return [this.programIsTool ? asTool : asCommand]
    const last = this.base.argv.at(-1)?.split('/').at(-1) ?? ''
    const likely = last === name || last.startsWith(`${name}.`)
    return likely ? [asTool, asCommand] : [asCommand, asTool]
  }
}
