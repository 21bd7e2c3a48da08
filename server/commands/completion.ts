/** `toolscope completion`: prints the script that completes command lines in a shell. complete.ts answers it. */
import { z } from 'zod'
import { defineCommand } from './command.ts'

const scripts = {
  // Bash splits words at `:` and `=`. So the script passes the line up to the cursor, and complete.ts splits it.
  bash: `_toolscope() {
  local reply
  COMPREPLY=()
  while IFS= read -r reply; do
    COMPREPLY+=("$reply")
  done < <(command toolscope complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o bashdefault -o default -F _toolscope toolscope
`,
  zsh: `#compdef toolscope
_toolscope() {
  local line
  local -a values shown
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done < <(command toolscope complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( \${#values} )); then
    compadd -l -d shown -a values
  else
    _files
  fi
}
if [[ $funcstack[1] == _toolscope ]]; then
  _toolscope "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _toolscope toolscope
fi
`,
  // \`string unescape\` refuses a quote that is still open.
  fish: `function __toolscope_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l current (string unescape -- $typed; or string unescape -- $typed\\"; or string unescape -- $typed\\')
    set -l found (command toolscope complete -- $words[2..] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c toolscope -f -a '(__toolscope_complete)'
`,
}

export const completionCommand = defineCommand({
  name: 'completion',
  description: 'Print a script that completes commands, options, sources and tools in bash, zsh or fish.',
  input: z.object({ shell: z.enum(['bash', 'zsh', 'fish']).describe('The shell: bash, zsh or fish.') }),
  positionals: ['shell'],
  notes: [
    'Sources are those of toolscope.json, tools those of the last known lists. Completion starts no program.',
  ],
  examples: [
    ['source <(toolscope completion bash)', 'in ~/.bashrc; for zsh, with zsh, in ~/.zshrc'],
    ['toolscope completion fish > ~/.config/fish/completions/toolscope.fish', 'for fish'],
  ],
  exitCodes: { 0: 'the script is on stdout', 2: 'this shell is not supported' },
  output: z.object({ script: z.string() }),

  async run({ shell }) {
    return { output: { script: scripts[shell] } }
  },

  print({ script }, context) {
    context.write(script)
  },
})
