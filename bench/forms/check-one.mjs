/** One tool: inputs are made, the server's validator sorts them, the form is put through all of them. */

const wantedValid = 3
const wantedSpoilt = 2

/** @param tool with `byKeyboard`: its form is filled by keyboard too */
export async function checkOne(browser, compileSchema, tool, seed) {
  const result = { file: tool.file, name: tool.name, failures: [], disagreements: [] }
  const fail = (kind, detail) => result.failures.push({ kind, detail: String(detail).slice(0, 700) })
  try {
    const made = await browser.instances(tool.schema, seed)
    const judge = judgeOf(compileSchema, tool.schema)
    const texts = [...made.valid, ...made.spoilt]
    const verdicts = texts.map(judge)
    const valid = texts.filter((_, index) => verdicts[index] !== 'invalid').slice(0, wantedValid)
    const spoilt = texts.filter((_, index) => verdicts[index] === 'invalid').slice(0, wantedSpoilt)
    const more = made.spoilt.filter(text => !spoilt.includes(text)).slice(0, wantedSpoilt - spoilt.length)
    result.valid = valid.length
    result.invalid = spoilt.length
    result.disagreements = await disagreements(browser, tool.schema, texts, verdicts)
    const target = valid[0] ?? made.valid[0] ?? '{}'
    Object.assign(result, {
      report: await browser.check(tool.schema, [...valid, ...spoilt, ...more], target),
    })
    for (const failure of result.report.failures) fail(failure.kind, failure.detail)
    if (tool.byKeyboard) {
      const reason = await browser.byKeyboard(tool.schema, target)
      result.filledByKeyboard = reason === undefined
      if (reason !== undefined) fail('keyboard', reason)
    }
  } catch (error) {
    fail(error?.name === 'hang' ? 'hang' : 'crash', error?.stack ?? error)
  }
  for (const crash of browser.crashes()) fail('crash', crash)
  return result
}

/** The server's verdict, as the caller is bound: what is required but has a default may be left out. */
function judgeOf(compileSchema, schema) {
  let validate
  try {
    validate = compileSchema(schema)
  } catch {
    return () => 'unchecked'
  }
  return text => {
    if (validate(JSON.parse(text))) return 'valid'
    const only = validate.errors.every(
      error =>
        error.keyword === 'required' &&
        error.parentSchema?.properties?.[error.params.missingProperty]?.default !== undefined,
    )
    return only ? 'valid' : 'invalid'
  }
}

async function disagreements(browser, schema, texts, verdicts) {
  const inBrowser = await browser.verdicts(schema, texts)
  return texts.flatMap((text, index) =>
    inBrowser[index] !== verdicts[index]
      ? [{ text: text.slice(0, 300), server: verdicts[index], browser: inBrowser[index] }]
      : [],
  )
}
