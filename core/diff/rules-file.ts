/** A rules file: severities of a team's own. */
import { z } from 'zod'
import { ruleCatalogue } from './rules/catalogue.ts'

const setting = z.enum(['breaking', 'dangerous', 'warning', 'info', 'off'])

/** The shape of a rules file: `{"rules": {"property-added": "warning"}}`. An unknown rule is an error. */
export const rulesFile = z.strictObject({
  $schema: z.string().optional(),
  rules: z.record(
    z.string().refine(id => Object.hasOwn(ruleCatalogue, id), {
      error: issue => `there is no rule "${String(issue.input)}"; see docs/diff.md for the list`,
    }),
    setting,
  ),
})
