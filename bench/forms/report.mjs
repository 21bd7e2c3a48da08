/** From the results of all tools to the numbers, the table and the verdict. */

export function summarizeTool(results, firstMs, keystroke) {
  const reports = results.flatMap(result => (result.report ? [result.report] : []))
  const sum = pick => reports.reduce((total, report) => total + pick(report), 0)
  const times = firstMs.toSorted((left, right) => left - right)
  const round = number => Math.round(number * 10) / 10
  const failures = results.flatMap(result =>
    result.failures.map(failure => ({ source: result.file, tool: result.name, ...failure })),
  )
  return {
    tools: results.length,
    rendered: reports.length,
    unsupported: sum(report => report.unsupported),
    nodes: sum(report => report.nodes),
    jsonFallbackNodes: sum(report => report.jsonNodes),
    roundTripped: sum(report => report.roundTripped),
    instances: sum(report => report.instances),
    invalidInstances: results.reduce((total, result) => total + (result.invalid ?? 0), 0),
    edits: sum(report => report.edits),
    branchSwitches: sum(report => report.switches),
    filledFromEmpty: reports.filter(report => report.filled).length,
    filledByKeyboard: results.filter(result => result.filledByKeyboard).length,
    triedByKeyboard: results.filter(result => result.filledByKeyboard !== undefined).length,
    medianMs: round(quantile(times, 0.5)),
    p99Ms: round(quantile(times, 0.99)),
    slowestMs: round(times.at(-1) ?? 0),
    keystrokeWorstMs: keystroke ? round(keystroke.worstMs) : null,
    keystrokeFields: keystroke?.fields ?? 0,
    keystrokeTouched: keystroke?.touched ?? 0,
    crashes: failures.filter(failure => failure.kind === 'crash').length,
    hangs: failures.filter(failure => failure.kind === 'hang').length,
    verdictsCompared: results.length,
    disagreements: results.flatMap(result =>
      result.disagreements.map(found => ({ source: result.file, tool: result.name, ...found })),
    ),
    failures,
  }
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** What is under the bar, one line each. */
export function bar(summary) {
  const rules = [
    ['crashes', summary.crashes === 0],
    ['hangs', summary.hangs === 0],
    ['unsupported fields', summary.unsupported === 0],
    ['tools that were not rendered', summary.rendered === summary.tools],
    ['instances that did not round trip', summary.roundTripped === summary.instances],
    ['filled from empty, at least 99%', summary.filledFromEmpty >= summary.tools * 0.99],
    ['filled by keyboard', summary.filledByKeyboard === summary.triedByKeyboard],
    ['nodes by JSON fallback, at most 2%', summary.jsonFallbackNodes <= summary.nodes * 0.02],
    ['first render, 99th percentile at most 200 ms', summary.p99Ms <= 200],
    ['first render, worst at most 1 s', summary.slowestMs <= 1000],
    ['a keystroke draws one field', (summary.keystrokeTouched ?? 0) <= 1],
    ['a keystroke in 730 fields, at most 50 ms', (summary.keystrokeWorstMs ?? 0) <= 50],
  ]
  return rules.filter(([, kept]) => !kept).map(([name]) => name)
}

export function printTable(summary) {
  const { failures, disagreements, ...numbers } = summary
  for (const [name, value] of Object.entries(numbers)) console.log(`${name.padEnd(20)} ${value}`)
  console.log(`${'disagreements'.padEnd(20)} ${disagreements.length}`)
  const classes = new Map()
  for (const failure of failures) classes.set(failure.kind, [...(classes.get(failure.kind) ?? []), failure])
  console.log(`\n${'failures'.padEnd(20)} ${failures.length}`)
  for (const [kind, members] of classes) {
    console.log(`\n${kind}: ${members.length}`)
    for (const { source, tool, detail } of members) console.log(`  ${source} ${tool}\n    ${detail}`)
  }
  if (disagreements.length > 0) console.log('\nverdicts that differ')
  for (const { source, tool, server, browser, text } of disagreements)
    console.log(`  ${source} ${tool}: server ${server}, browser ${browser}: ${text}`)
}
