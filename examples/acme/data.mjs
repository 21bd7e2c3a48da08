/** Acme Cloud as it stood on 21 November 2026. Nothing here changes, so that every call can be repeated. */

export const regions = ['eu-west', 'us-east', 'ap-south']

export const releaseList = [
  {
    release: 'r-2291',
    build: 'b-1842',
    environment: 'staging',
    by: 'ada@acme.example',
    at: '2026-11-21T18:30:04Z',
    state: 'live',
  },
  {
    release: 'r-2290',
    build: 'b-1841',
    environment: 'prod',
    by: 'grace@acme.example',
    at: '2026-11-20T09:12:40Z',
    state: 'live',
  },
  {
    release: 'r-2289',
    build: 'b-1839',
    environment: 'prod',
    by: 'ada@acme.example',
    at: '2026-11-18T15:03:11Z',
    state: 'replaced',
  },
  {
    release: 'r-2288',
    build: 'b-1838',
    environment: 'dev',
    by: 'linus@acme.example',
    at: '2026-11-18T10:47:29Z',
    state: 'live',
  },
  {
    release: 'r-2287',
    build: 'b-1836',
    environment: 'prod',
    by: 'grace@acme.example',
    at: '2026-11-14T08:20:00Z',
    state: 'rolled back',
  },
]

export const incidentList = [
  {
    id: 'inc-318',
    title: 'Checkout answers slowly in eu-west',
    severity: 2,
    state: 'open',
    opened_at: '2026-11-21T16:05:00Z',
    resolved_at: null,
  },
  {
    id: 'inc-317',
    title: 'Invoices sent twice',
    severity: 3,
    state: 'resolved',
    opened_at: '2026-11-17T07:41:00Z',
    resolved_at: '2026-11-17T11:26:00Z',
  },
  {
    id: 'inc-316',
    title: 'Log-in page unreachable',
    severity: 1,
    state: 'resolved',
    opened_at: '2026-11-09T22:10:00Z',
    resolved_at: '2026-11-09T22:52:00Z',
  },
]

export const peopleList = [
  {
    email: 'ada@acme.example',
    name: 'Ada Byron',
    role: 'owner',
    teams: ['payments', 'platform'],
    manager: null,
  },
  {
    email: 'grace@acme.example',
    name: 'Grace Murray',
    role: 'maintainer',
    teams: ['payments'],
    manager: 'ada@acme.example',
  },
  {
    email: 'linus@acme.example',
    name: 'Linus Berg',
    role: 'developer',
    teams: ['platform'],
    manager: 'grace@acme.example',
  },
  { email: 'mary@acme.example', name: 'Mary Somer', role: 'auditor', teams: [], manager: 'ada@acme.example' },
]

/** The release of that name. Throws where there is none, and says which there are. */
export function findRelease(name) {
  const found = releaseList.find(({ release }) => release === name)
  if (found === undefined)
    throw new Error(
      `There is no release ${name}; the newest are ${releaseList
        .slice(0, 3)
        .map(({ release }) => release)
        .join(', ')}`,
    )
  return found
}
