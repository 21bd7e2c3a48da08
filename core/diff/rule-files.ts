/** The shapes of a rules file and of an ignore file. */
import { z } from 'zod'
import { nearest } from '../text/wording.ts'
import { ruleCatalogue } from './rules/schema-rules.ts'
import { ignoreEntry, ruleSetting } from './team-rules.ts'

/** `{"rules": {"property-added": "warning"}}`. An unknown rule is an error. */
export const rulesFile = z.strictObject({
  $schema: z.string().optional(),
  rules: z.record(
    z.string().refine(id => Object.hasOwn(ruleCatalogue, id), {
      error: issue => describeUnknownRule(String(issue.input)),
    }),
    ruleSetting,
  ),
})

/** `{"ignore": [{"fingerprint": "745f1a42", "reason": "…", "expires": "2027-03-31"}]}`. */
export const ignoreFile = z.strictObject({ $schema: z.string().optional(), ignore: z.array(ignoreEntry) })

function describeUnknownRule(id: string): string {
  const meant = nearest(id, Object.keys(ruleCatalogue))
  return `there is no rule "${id}"; ${meant === null ? 'docs/diff.md lists them' : `did you mean "${meant}"?`}`
}
