#!/usr/bin/env node
/** Acme Cloud's command line: an example of a program that agents and Toolscope can use. Its data is made up. */
import { billing } from './billing.mjs'
import { builds, deploy, releases } from './deployments.mjs'
import { incidents } from './incidents.mjs'
import { legacy } from './legacy.mjs'
import { group } from './llms-program.mjs'
import { ops } from './operations.mjs'
import { greet, people } from './people.mjs'
import { status } from './status.mjs'

const acme = group(
  { name: 'acme', description: 'Acme Cloud: deployments, incidents, billing and people' },
  {
    api: group({ description: 'Releases and those who make them' }, { greet, deploy, releases }),
    builds,
    ops,
    incidents,
    billing,
    people,
    legacy,
    status,
  },
)

await acme.parseAsync()
