import { Kbd } from '../ui/kbd.tsx'
import { type CommandId, commands } from './commands.ts'
import { printKeys } from './match-key.ts'
import { isMac } from './use-keys.ts'

/** The first key of a command, for its button; nothing where it has none. */
export function CommandKeys({ id }: { readonly id: CommandId }) {
  const chord = commands.find(command => command.id === id)?.keys[0]
  return chord === undefined ? null : <Kbd keys={printKeys(chord, isMac)} />
}
