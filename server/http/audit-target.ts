/** Describes what a request starts, changes, deletes or calls, for its audit line. */
import parseArgv from 'string-argv'
import type { Endpoint, VisibleSources } from '../../core/api/endpoint.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { maskText, maskValues, maskWords } from '../../core/tool/mask.ts'
import { hideAddressSecrets } from '../fetch/fetch-address.ts'
import { quoteWords } from '../process/command-line.ts'
import { isTypedLine } from '../recognise/recognise-line.ts'

/** Characters of a recognised text that the audit line shows. */
const maxCharacters = 500
/** A longer text cannot be opened as a source. */
const maxTypedCharacters = 10_000

/** Returns one line without secrets, or undefined for an endpoint that only reads. `request`: its parsed parts. */
export function describeTarget({ target }: Endpoint, request: object): string | undefined {
  // The compiler checked `target` against the schemas that parsed `request`, where the endpoint was defined.
  return target && maskText(plainLine(target(request as never, visibleSources)), [])
}

const visibleSources: VisibleSources = {
  typed: text => describeWords(parseArgv(text)),
  recognised(text) {
    if (!isTypedLine(text)) return '(JSON)'
    if (text.length > maxTypedCharacters) return `(text of ${text.length} characters)`
    // It is masked before it is cut: half a secret may not look like one.
    return shorten(describeWords(parseArgv(text)), maxCharacters)
  },
  entry({ line, url, command, manifest, functions, recording, bridge, mcp, environment, directory }) {
    const server = mcp && ('url' in mcp ? [mcp.url] : mcp.command)
    const variables = maskValues({ ...environment, ...(mcp && 'command' in mcp ? mcp.env : {}) })
    const single = url ?? manifest ?? functions ?? recording ?? bridge
    const words = command ?? server ?? (single === undefined ? parseArgv(line ?? '') : [single])
    const parts = [
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      words.length > 0 ? describeWords(words) : '(text of a manifest)',
      directory && `directory=${directory}`,
    ]
    return parts.filter(part => part).join(' ')
  },
}

/** Returns a command without secrets, values of variables, and the credentials and queries of addresses. */
function describeWords(words: readonly string[]): string {
  const isVariable = (word = '') => /^[A-Za-z_]\w*=/.test(word)
  const program = words.findIndex(word => !isVariable(word))
  const visible = words.map((word, index) => {
    const setsVariable = program < 0 || index < program || /^(?:-e|--env)$/.test(words[index - 1] ?? '')
    if (setsVariable && isVariable(word)) return hideValue(word)
    return isAddress.test(word) ? hideAddressSecrets(word) : word
  })
  const masked = maskWords(visible).visible
  return masked.length === 1 ? masked.join('') : quoteWords(masked)
}

/** An address, also with the kind of its source in front: `mcp:https://…`. */
const isAddress = /^(?:[a-z][\w+.-]*:)+[/\\]/i

function hideValue(assignment: string): string {
  const at = assignment.indexOf('=')
  const [name, value] = [assignment.slice(0, at), assignment.slice(at + 1)]
  return `${name}=${maskValues({ [name]: value })[name]}`
}
