// From a JSON object to command-line words for a Bash tool, each ended by a NUL so that no shell ever reads them.
const input = JSON.parse(process.argv[2] ?? '')
const words = Object.entries(input).flatMap(([key, value]) => {
  const flag = `--${key.replaceAll('_', '-')}`
  if (typeof value === 'boolean') return value ? [flag] : []
  return [value].flat().flatMap(each => [flag, typeof each === 'string' ? each : JSON.stringify(each)])
})
process.stdout.write(words.map(word => `${word}\0`).join(''))
