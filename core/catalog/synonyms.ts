/** Maps the words of users to the words of tools. Contains general English and computing terms, no product names. */
import { stemWord } from './words.ts'

/** Each line is one idea; every word of it also finds the others. A word may be in several lines. */
const groups = `
delete remove erase drop destroy discard purge clear clean uninstall trash unset forget
revoke suspend remove delete cancel withdraw disable
create add new make insert build generate setup initialize post
add append attach put push insert
get read fetch retrieve show view see display describe open load details info
list show all enumerate browse which get
search find query lookup locate discover
update edit change modify patch alter set replace
rename move title heading name
write save store create put record
write edit text
send post push submit message notify
reply answer respond response
share publish send
copy duplicate clone fork
undo revert reset rollback restore previous
start run launch execute begin trigger invoke play
stop end cancel terminate kill abort halt close shutdown
restart reboot retry rerun again redo lifecycle
connect link relate relation associate association join
archive hide
approve accept confirm allow
decline reject refuse deny dismiss
assign give add
watch follow subscribe monitor
pick choose select
check validate verify lint test assert status
compare diff difference
analyze analyse diagnose inspect troubleshoot debug
convert transform encode parse turn translate
compress zip gzip
upload import
download export
download fetch get
schedule plan calendar
wait poll sleep
tap click press touch
scroll swipe
type enter fill write input
sum addition add plus total
echo repeat
count quantity number statistics stats
grow scale increase resize
shrink resize scale decrease
fake emulate override simulate pretend mock
resolve close done complete finish
picture photo image screenshot
image picture photo media logo icon
screenshot capture snapshot picture
video screencast recording film movie media
movie film record
sound audio media
site website page url web
internet web online
link url
browser agent page
folder directory path
file document
repository repo project
snippet gist
bug issue ticket problem
issue task ticket
pr pull
comment note remark
note notebook
email mail message inbox
message chat text
phone mobile device
phone number telephone
app application
person user people contact member somebody
customer contact client company crm
colleague user member coworker teammate reviewer
boss manager supervisor
employee worker staff
team group
appointment event meeting
meeting call conference
busy free availability presence schedule
vacation holiday leave absence
hours timesheet time
salary wage payroll
bill invoice
money billing payment cost price spend
pay payment
refund credit
profit loss revenue income
owe debt receivable
tax vat
gps location coordinates latitude longitude geocode position place
street address
route directions drive navigate way
distance far travel
height elevation altitude
restaurant business local place
gpu graphics card
machine server pod vm computer node instance
vm virtual machine
container pod docker
cluster kubernetes k8s
log logs output print console
error failure crash problem fail
slow performance speed fast trace
memory heap leak
memory knowledge graph remember
remember memory store observation
fact observation
person entity
password secret credential
vulnerable vulnerability security alert dependabot
dependency package library
programming code
library docs documentation
manual help documentation docs
release version
newest latest recent last
change update changelog history
history log past previous activity
pipeline ci workflow build job
artifact output product
flaky intermittent unreliable
settings config configuration preferences
environment env variable
spreadsheet excel worksheet sheet
cell range
chart graph plot diagram
table grid
column field list property
field property attribute column
paragraph block
wiki page
todo task checklist
label tag
mark tag label
emoji reaction
star favorite favourite bookmark
copy copied
popup dialog alert
dropdown select option
text content
html markup source
size big large resize
shell command exec terminal
yaml manifest
follower subscriber broadcast
everyone everybody all broadcast
quota limit remaining left
embedding vector
vector semantic index
similar duplicate same alike
rank sort order rerank relevance
think reason thought
step sequential
report research summary
free available
available capacity
database db sql
backup dump snapshot
regular schedule periodic recurring cron
login authenticate sign auth
logout signout
me myself current self own
transcript said spoken
rotate orientation landscape portrait
clipboard paste
installed apps list
dimension size width height
javascript script js
smaller resize
several multiple many batch bulk
whole full complete entire all
percentage rate percent
switch change select use context checkout
happen occur event
lately recently recent latest last
tick check complete done
propose suggest offer submit
draw create render
boot start
land merge
balance assets liabilities
offer quote estimate
transfer transaction bank
join merge combine
submit fill send
colour color
healthy health status
reachable ping health validate connection
disk volume storage
mouse pointer hover
see view access
pay paid
send sent
write wrote written
say said
make made
find found
forget forgot
see saw
`

/** Phrases for one idea, and the words that replace them. */
const phrases: readonly [RegExp, string][] = [
  [/\b(?:look(?:ing)?|search(?:ing)?) (?:\w+ )?(?:up|for)\b/g, 'search'],
  [/\b(?:throw|take|put|give) (?:\w+ )?away\b|\bget rid of\b/g, 'delete'],
  [/\btake (\w+) off\b/g, 'remove $1'],
  [/\b(?:put|set) (?:\w+ )?aside\b/g, 'stash save'],
  [/\b(?:turn|switch|shut) (?:\w+ )?(?:off|down)\b/g, 'stop disable'],
  [/\b(?:turn|switch) (?:\w+ )?on\b/g, 'start enable'],
  [/\bsay no\b/g, 'decline'],
  [/\bsay yes\b/g, 'accept'],
  [/\b(?:log|sign) in\b/g, 'login'],
  [/\b(?:log|sign) out\b/g, 'logout'],
  [/\bset up\b/g, 'create'],
  [/\bgo back\b/g, 'back previous revert'],
  [/\bwho am i\b/g, 'current user me'],
  [/\bwho (\w+) (?:this|a|the) line\b/g, 'blame line'],
  [/\bmore (\w+)/g, 'increase $1'],
  [/\bpull request\b/g, 'pull request pr'],
  [/\bhow (?:many|much)\b/g, 'count'],
  [/\breport (?:a|an) (?:bug|problem|issue)\b/g, 'create issue'],
  [/\b(?:give|pay|send) (?:\w+ )?back\b/g, 'refund'],
  [/\bpass (.*) on\b/g, 'forward $1'],
  [/\bwhat (?:happened|is happening)\b/g, 'events'],
  [/\bonce more\b/g, 'again'],
  [/\bnear me\b/g, 'local'],
]

/** Created by the first search, because most starts search nothing. */
let byStem: ReadonlyMap<string, ReadonlySet<string>> | undefined

function readGroups(): ReadonlyMap<string, ReadonlySet<string>> {
  const table = new Map<string, Set<string>>()
  for (const line of groups.trim().split('\n')) {
    const stems = line.split(' ').map(stemWord)
    for (const stem of stems) table.set(stem, new Set([...(table.get(stem) ?? []), ...stems]))
  }
  return table
}

const none: ReadonlySet<string> = new Set()

/** Returns stems with a similar meaning, including this one; empty if the table does not contain the word. */
export function findSynonyms(stem: string): ReadonlySet<string> {
  byStem ??= readGroups()
  return byStem.get(stem) ?? none
}

/** Returns a folded request with its known phrases replaced by the words that tools use. */
export function replacePhrases(request: string): string {
  return phrases.reduce((text, [phrase, words]) => text.replace(phrase, words), request)
}
