import { ChevronDown } from 'lucide-react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { copyInput, copyVariables } from '../../../core/copy-as/copy-input.ts'
import { recipes } from '../../../core/copy-as/recipes.ts'
import { secretFieldsOf } from '../../../core/secrets/is-secret.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { BriefMessage, useBriefMessage } from './brief-message.tsx'

interface CopyAsProps {
  readonly tool: ToolDetail
  readonly variables: Readonly<Record<string, string>> | undefined
  readonly secretMarker: string | undefined
  /** The input as it is at this moment. */
  readonly currentText: () => string
}

/** The call that the input describes, as text for another place. Made from the input of the moment, secrets masked. */
export function CopyAs({ tool, variables, secretMarker, currentText }: CopyAsProps) {
  const { data: sources = [] } = useSources()
  const { message, show: showMessage } = useBriefMessage()
  const source = sources.find(each => each.name === tool.source)
  if (!source) return null

  const copy = async (recipe: (typeof recipes)[number]) => {
    const input = copyInput(currentText(), secretFieldsOf(tool.inputSchema), secretMarker)
    if (!input) return showMessage('Not copied: the input is no JSON yet.')
    const { values, masked } = copyVariables(variables ?? {})
    const text = recipe.make({ ...plain, input: input.text, variables: values })
    if (text === undefined)
      return showMessage(`Not copied: this input cannot be written as a ${recipe.title}.`)
    const isMasked = input.masked || masked || source.label.includes('•••')
    try {
      await navigator.clipboard.writeText(text)
      showMessage(isMasked ? 'Copied. Secrets are left out: ••• stands in their place.' : 'Copied')
    } catch {
      showMessage('Not copied: the browser does not allow it.')
    }
  }
  const plain = { tool, source, input: '{}', variables: {}, origin: location.origin }
  // What nobody here can call is still a message that a client could send.
  const offered = recipes.filter(
    ({ id, make: made }) => (tool.callable || id === 'mcp') && made(plain) !== undefined,
  )
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" data-testid="copy-as">
            Copy as <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        {offered.map(recipe => (
          <MenuItem key={recipe.id} onSelect={() => void copy(recipe)}>
            {recipe.title}
          </MenuItem>
        ))}
      </Menu>
      <BriefMessage message={message} testId="copied" />
    </>
  )
}
