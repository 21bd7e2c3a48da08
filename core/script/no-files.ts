/**
 * A shell without files, like ScriptedTool's own: its file system refuses every operation, and commands that need
 * files, the clock or the network do not exist.
 */

/** The part of an embedder's file system that the engine calls. */
export interface HostFileSystem {
  read(path: string): Uint8Array
  write(path: string, content: Uint8Array): void
  append(path: string, content: Uint8Array): void
  mkdir(path: string): void
  remove(path: string): void
  stat(path: string): { readonly type: 'directory' }
  readDir(path: string): []
  exists(path: string): boolean
  chmod(path: string): void
}

function refuse(): never {
  throw new Error('filesystem access disabled')
}

/** @param cwd the only directory, which is the current one */
export function deniedFileSystem(cwd: string): HostFileSystem {
  const refuseRedirection = (): never => {
    throw new Error('filesystem redirection disabled')
  }
  return {
    read: refuse,
    write: refuseRedirection,
    append: refuseRedirection,
    mkdir: refuse,
    remove: refuse,
    stat: path => (path === cwd ? { type: 'directory' } : refuse()),
    readDir: refuse,
    // If a directory were missing, that would be the error of a failed redirection.
    exists: () => true,
    chmod: refuse,
  }
}

/** The engine's commands that ScriptedTool's shell does not have. */
const deniedCommands = `
  base64 basename bash bunzip2 bzcat bzip2 cat cd chmod chown cp curl date df diff dirname dirs dotenv du file find glob
  gunzip gzip hexdump history hostname http id kill less ln ls md5sum mkdir mkfifo mktemp mv od patch popd pushd pwd
  readlink realpath rg rm rmdir sh sha1sum sha256sum shuf sleep source stat tar tee touch tree truncate uname unzip watch
  wget whoami xxd yes zip
`
  .trim()
  .split(/\s+/)

/** The names that ScriptedTool's shell suggests instead. */
const suggestions: Readonly<Record<string, string>> = { cat: 'cut', curl: 'cut', date: 'paste' }

/** Returns bash that makes each denied command an unknown one; `taken` are names of tools. */
export function deniedCommandsScript(taken: readonly string[]): string {
  const tools = new Set(taken)
  return deniedCommands
    .filter(name => !tools.has(name))
    .map(name => {
      const suggestion = Object.hasOwn(suggestions, name) ? `. Did you mean: ${suggestions[name]}?` : ''
      return `${name}() { printf 'bash: ${name}: command not found${suggestion}' >&2; return 127; }`
    })
    .join('\n')
}
