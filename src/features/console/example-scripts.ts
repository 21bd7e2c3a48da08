/** Sample scripts. */
export interface ExampleScript {
  readonly title: string
  readonly text: string
  /** The script is offered if the catalog has all of these commands. */
  readonly needs: readonly string[]
}

export const exampleScripts: readonly ExampleScript[] = [
  {
    title: 'List the tools',
    needs: [],
    text: '# Every tool is a command. help and discover say what there is.\nhelp --list | head -20\ndiscover --categories\n',
  },
  {
    title: 'Greet three people',
    needs: ['api_greet'],
    text: 'for name in Ada Grace Edsger; do\n  api_greet --name "$name" | jq -r .greeting\ndone\n',
  },
  {
    title: 'Look at the newest release’s logs',
    needs: ['api_releases', 'ops_logs'],
    text: '# A value of one tool goes into the next.\nrelease=$(api_releases --limit 1 | jq -r \'.releases[0].release\')\necho "release: $release"\nops_logs --release "$release" --seconds 2 | jq -r \'.lines[] | "\\(.second)s \\(.level) \\(.text)"\'\n',
  },
  {
    title: 'Continue when a tool fails',
    needs: ['ops_rollback', 'api_greet'],
    text: 'ops_rollback --release r-1 --reason "trying out the console" || echo "no such release: going on"\napi_greet --name Ada | jq -r .greeting\n',
  },
  {
    title: 'Check an input without calling',
    needs: ['api_deploy'],
    text: 'api_deploy --help\napi_deploy --dry-run --build b-1 --environment moon | jq .\n',
  },
]

/** Returns the script of a new console. */
export function firstScript(commands: ReadonlySet<string>): string {
  const offered = exampleScripts.filter(({ needs }) => needs.every(name => commands.has(name)))
  return (offered[1] ?? offered[0])?.text ?? ''
}
