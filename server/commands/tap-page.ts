/** The page of a tap: it shows the messages that pass, and nothing can be called or changed there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { isOwnVariable } from '../sources/program-environment.ts'
import type { SourceSpec } from '../sources/source.ts'
import type { SourceWire } from '../wire/source-wire.ts'
import type { CommandContext } from './command.ts'
import { serveFields, servePage } from './serve.ts'

interface TapPage {
  /** The address of the wire, with the token. */
  readonly url: string
  close(): Promise<void>
}

interface TapPageOptions {
  readonly wire: SourceWire
  /** Opens the browser. */
  readonly open: boolean
}

/**
 * Serves the page on this machine at a free port. Its store, its token and its configuration are in a folder of its
 * own, which `close` deletes: those of the user are neither read nor changed. Throws AppError.
 */
export async function serveTapPage(
  { wire, open }: TapPageOptions,
  context: CommandContext,
): Promise<TapPage> {
  const directory = await mkdtemp(join(tmpdir(), 'toolscope-tap-'))
  const removeFolder = () => rm(directory, { recursive: true, force: true })
  const variables = Object.entries(context.environment).filter(([name]) => !isOwnVariable(name))
  const environment = { ...Object.fromEntries(variables), TOOLSCOPE_DATA_DIR: join(directory, 'data') }
  // Without a file of its own, that of a folder above would apply.
  const config = join(directory, 'toolscope.json')
  try {
    await writeFile(config, '{}\n')
    const input = { config, open, port: 0, appPort: 0, readOnly: true, fixedSources: true }
    const served = await servePage(
      z.object(serveFields).parse(input),
      { ...context, directory, environment },
      {
        wire,
        follow({ sources }) {
          void sources.add(tappedSource(wire))
          return () => {}
        },
      },
    )
    const url = new URL('/wire', served.url)
    url.search = new URL(served.url).search
    await served.openBrowser('/wire')
    return {
      url: url.href,
      async close() {
        await served.close()
        await removeFolder()
      },
    }
  } catch (thrown) {
    await removeFolder()
    throw thrown
  }
}

/** Its tools are not listed, because the page can call none of them. */
function tappedSource({ facts }: SourceWire): SourceSpec {
  const { name, label } = facts.describe()
  const kind = 'tap'
  return {
    settings: { name },
    kind,
    label,
    definition: label,
    open: async () => ({
      label,
      about() {
        const { protocol } = facts.describe()
        return protocol === undefined ? {} : { protocol }
      },
      manifest: async () => ({ tools: [], problems: [], format: 'a tap' }),
      close: async () => {},
    }),
  }
}
