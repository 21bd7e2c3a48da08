import { useRouter } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { copyInput, copyVariables, recipes } from '../../../core/prompt/copy-as.ts'
import { findSecretFields } from '../../../core/tool/is-secret.ts'
import { leaveOutOfText } from '../../../core/tool/left-out.ts'
import { mask } from '../../../core/tool/mask.ts'
import type { QuestionState } from '../../../core/tool/question.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { toInputFragment } from './input-link.ts'

const invalidInputNotCopied = 'Not copied: the input is not valid JSON.'

interface CopyAsProps {
  readonly tool: ToolDetail
  readonly variables: Readonly<Record<string, string>> | undefined
  readonly secretMarker: string | undefined
  /** The server's questions in a call with this input. */
  readonly questions: readonly QuestionState[]
  /** Returns the current input. */
  readonly currentText: () => string
  readonly onMessage: (text: string) => void
}

/** A menu that copies the call as text for another program, from the current input with masked secrets. */
export function CopyAs(props: CopyAsProps) {
  return (
    <Menu
      trigger={
        <Button look="quiet" data-testid="copy-as">
          Copy as <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <Recipes {...props} />
    </Menu>
  )
}

function Recipes({
  tool,
  variables,
  secretMarker,
  questions,
  currentText,
  onMessage: showMessage,
}: CopyAsProps) {
  const { data: sources = [] } = useSources()
  const router = useRouter()
  const source = sources.find(each => each.name === tool.source)
  if (!source) return null

  const copy = async (recipe: (typeof recipes)[number]) => {
    const input = copyInput(currentText(), findSecretFields(tool.inputSchema), secretMarker)
    if (!input) return showMessage(invalidInputNotCopied)
    const { values, masked } = copyVariables(variables ?? {})
    // Imported on demand, because it brings the parser of the API's contract.
    const prepared =
      questions.length > 0
        ? (await import('../../../core/checks/prepared-answers.ts')).keepAnswers(questions, mask)
        : undefined
    const answers = prepared && JSON.stringify(prepared.answers)
    const text = recipe.make({ ...plain, input: input.text, variables: values, answers })
    if (text === undefined)
      return showMessage(`Not copied: this input cannot be written as a ${recipe.title}.`)
    const isMasked = input.masked || masked || prepared?.masked === true || text.includes(mask)
    await write(text, isMasked ? 'Copied. Secrets are replaced by •••.' : commonTexts.copied)
  }
  const copyLink = async () => {
    const draft = leaveOutOfText(currentText(), findSecretFields(tool.inputSchema), { marker: secretMarker })
    if (!draft) return showMessage(invalidInputNotCopied)
    const fragment = toInputFragment({ text: draft.kept, secretMarker: draft.marker })
    if (fragment === undefined) return showMessage('Not copied: the input is too long for a link.')
    const link = `${location.origin}${router.state.location.pathname}${router.state.location.searchStr}#${fragment}`
    await write(link, draft.marker ? 'Copied. Secrets are left out of the link.' : commonTexts.copied)
  }
  const write = async (text: string, message: string) => {
    try {
      await navigator.clipboard.writeText(text)
      showMessage(message)
    } catch {
      showMessage('Not copied: the browser does not allow it.')
    }
  }
  const plain = { tool, source, input: '{}', variables: {}, origin: location.origin }
  // A client can send the MCP message even if the tool cannot be called here.
  const offered = recipes.filter(
    ({ id, make: made }) => (tool.callable || id === 'mcp') && made(plain) !== undefined,
  )
  return (
    <>
      {offered.map(recipe => (
        <MenuItem key={recipe.id} onSelect={() => void copy(recipe)}>
          {recipe.title}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => void copyLink()}>Link with input</MenuItem>
    </>
  )
}
