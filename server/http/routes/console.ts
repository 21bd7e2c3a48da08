/** Serves the console: the commands, `help` and the saved scripts. */
import { type ScriptList, scriptEndpoints } from '../../../core/api/scripts.ts'
import { summarizeFirstLine } from '../../../core/catalog/rows.ts'
import { AppError, toErrorMessage } from '../../../core/errors.ts'
import { runHelpCommand, scriptToolCommands } from '../../../core/script/script-tools.ts'
import { confirmReason } from '../../../core/tool/confirm-reason.ts'
import { deleteScript, readScripts, scriptFolder, writeScript } from '../../calls/saved-scripts.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { serve } from '../serve-endpoints.ts'

/** @param directory of the configuration, which contains the scripts; null if there is no configuration file */
export function consoleRoutes(catalog: Catalog, directory: string | null) {
  const commands = catalog.sources.cached(() =>
    scriptToolCommands(catalog.tools.list(), catalog.knownNames()),
  )

  const list = async (): Promise<ScriptList> => ({
    folder: directory === null ? null : scriptFolder,
    scripts: directory === null ? [] : await readScripts(directory),
  })
  const change = async (act: (directory: string) => Promise<void>): Promise<ScriptList> => {
    if (directory === null)
      throw new AppError(
        'request-invalid',
        'there is no toolscope.json, so scripts cannot be saved next to it',
      )
    await act(directory).catch(thrown => {
      throw new AppError('files-failed', toErrorMessage(thrown))
    })
    return list()
  }
  return serve(scriptEndpoints, {
    'GET /api/commands': () => ({
      commands: commands().entries.map(({ command, tool }) => {
        const summary = summarizeFirstLine(tool.description ?? tool.title ?? '').slice(0, 200)
        const confirm = confirmReason(tool)
        return { command, ref: tool.ref, ...(summary ? { summary } : {}), ...(confirm ? { confirm } : {}) }
      }),
    }),
    'POST /api/commands/help': ({ body }) => runHelpCommand(commands(), body.name, body.words),
    'GET /api/scripts': list,
    'PUT /api/scripts/{name}': ({ params, body }) =>
      change(folder => writeScript(folder, params.name, body.text)),
    'DELETE /api/scripts/{name}': ({ params }) => change(folder => deleteScript(folder, params.name)),
  })
}
