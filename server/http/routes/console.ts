/** What the console needs: the commands, `help` and `discover`, and the scripts that were saved. */
import { Hono } from 'hono'
import {
  type CommandList,
  helpBody,
  type ScriptList,
  scriptBody,
  scriptName,
} from '../../../core/api/scripts.ts'
import { confirmReason } from '../../../core/call/confirm-reason.ts'
import { firstLine } from '../../../core/catalog/summarise.ts'
import { AppError } from '../../../core/errors.ts'
import type { ToolCommands } from '../../../core/help/tool-commands.ts'
import { helpCommand } from '../../../core/script/help-command.ts'
import { scriptCommands } from '../../../core/script/script-tools.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { deleteScript, readScripts, SCRIPT_FOLDER, writeScript } from '../../script/saved-scripts.ts'
import { parseWith, readBody } from './parse.ts'

/** @param folder where scripts are saved; null where there is no configuration file to put them beside. */
export function consoleRoutes(catalog: Catalog, folder: string | null): Hono {
  const routes = new Hono()
  let names: ToolCommands | undefined
  catalog.sources.onChange(() => {
    names = undefined
  })
  const commands = () => {
    names ??= scriptCommands(catalog.tools.list())
    return names
  }

  routes.get('/commands', context => {
    const list = commands().entries.map(({ command, tool }) => {
      const summary = firstLine(tool.description ?? tool.title ?? '').slice(0, 200)
      const confirm = confirmReason(tool)
      return { command, ref: tool.ref, ...(summary ? { summary } : {}), ...(confirm ? { confirm } : {}) }
    })
    return context.json({ commands: list } satisfies CommandList)
  })
  routes.post('/commands/help', async context => {
    const { body } = await readBody(context, helpBody)
    return context.json(helpCommand(commands(), body.name, body.words))
  })

  const list = (): ScriptList => ({
    folder: folder === null ? null : SCRIPT_FOLDER,
    scripts: folder === null ? [] : readScripts(folder),
  })
  const place = () => {
    if (folder !== null) return folder
    throw new AppError('request-invalid', 'there is no toolscope.json to save scripts beside')
  }
  routes.get('/scripts', context => context.json(list()))
  routes.put('/scripts/:name', async context => {
    const name = parseWith(scriptName, context.req.param('name'))
    const { body } = await readBody(context, scriptBody)
    writeScript(place(), name, body.text)
    return context.json(list())
  })
  routes.delete('/scripts/:name', context => {
    deleteScript(place(), parseWith(scriptName, context.req.param('name')))
    return context.json(list())
  })
  return routes
}
