/**
 * Words that no tool may take as its command name: a tool called `echo` would break every script that prints
 * something. Our own `help` and `discover`, the shell's grammar and builtins, and the programs that scripts rely on.
 */
const words = `
  help discover
  if then elif else fi for while until do done case esac in function select time coproc
  alias bg break builtin cd command compgen complete continue declare dirs disown echo enable eval exec exit export
  false fc fg getopts hash history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly
  return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait
  awk base64 basename bash bc cat chmod clear cp curl cut date diff dirname du egrep env expr fgrep file find fold grep
  gunzip gzip head hexdump hostname id jq less ln ls md5sum mkdir mktemp mv nl od paste printenv rev rg rm rmdir
  sed seq sh sha1sum sha256sum sleep sort split stat strings tac tail tar tee timeout touch tr tree uname uniq
  wc wget which whoami xargs xxd yes yq
`

export const reservedCommands: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
