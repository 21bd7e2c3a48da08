/** The figures of a server in the text format of Prometheus, by prom-client. */
import { sourceStatus } from '../../core/api/sources.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { History } from '../history/history.ts'
import { version } from '../process/version.ts'
import type { Store } from '../store/store.ts'
import type { ServerActivity } from './server-activity.ts'

/** Seconds. A local tool answers in milliseconds, and a call may take an hour. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]
/** Further sources share the label `other`: each label is a series for as long as the server runs. */
const maxSources = 50
const otherSources = 'other'

export interface MetricParts {
  readonly activity: ServerActivity
  readonly catalog: Catalog
  readonly store: Store
  readonly history: History
}

export interface Metrics {
  readonly contentType: string
  /** Reads all figures now. */
  render(): Promise<string>
}

/** Starts counting. No label holds the name of a tool or of a person. */
export async function startMetrics({ activity, catalog, store, history }: MetricParts): Promise<Metrics> {
  // A chunk of packages only is written without spaces (vite.config.ts).
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  new Gauge({
    name: 'toolscope_build_info',
    help: 'Always 1; the labels name the version and the kind of store.',
    labelNames: ['version', 'store'],
    registers,
  }).set({ version, store: store.dialect }, 1)
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  /** Counts in another part of the program; the counter receives what was added since the last time. */
  const counter = (name: string, help: string, read: () => number) => {
    let seen = 0
    return new Counter({
      name,
      help,
      registers,
      collect() {
        const value = read()
        this.inc(value - seen)
        seen = value
      },
    })
  }

  const { load } = activity
  const calls = new Counter({
    name: 'toolscope_calls_total',
    help: `Calls that ended, by outcome and source; sources after the first ${maxSources} are "${otherSources}".`,
    labelNames: ['source', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'toolscope_call_duration_seconds',
    help: 'Time from the request of a call to its ending: the queue and validation included.',
    buckets: durationBuckets,
    registers,
  })
  const labels = new Set<string>()
  load.onEnded(({ source, outcome, durationMs }) => {
    if (labels.size < maxSources) labels.add(source)
    calls.inc({ source: labels.has(source) ? source : otherSources, outcome })
    durations.observe(durationMs / 1000)
  })
  gauge('toolscope_calls_running', 'Calls that run.', () => load.counts.running)
  gauge('toolscope_calls_waiting', 'Calls that wait in the queue.', () => load.counts.waiting)
  gauge('toolscope_calls_max', 'Maximum number of calls that run at the same time.', () => load.max)
  gauge('toolscope_draining', '1 if the server stops and takes no new calls.', () =>
    Number(activity.isDraining),
  )

  const requests = new Counter({
    name: 'toolscope_http_requests_total',
    help: 'Answered requests, by status.',
    labelNames: ['status'],
    registers,
  })
  activity.answered.on(({ context }) => requests.inc({ status: String(context.res.status) }))
  gauge(
    'toolscope_pages_open',
    'Open event streams: one for each page.',
    () => activity.live?.counts().pages ?? 0,
  )
  counter(
    'toolscope_events_sent_total',
    'Events that were sent to pages.',
    () => activity.live?.counts().events ?? 0,
  )

  new Gauge({
    name: 'toolscope_sources',
    help: 'Sources, by status.',
    labelNames: ['status'],
    registers,
    collect() {
      for (const status of sourceStatus.options) this.set({ status }, 0)
      for (const { status } of catalog.sources.list()) this.inc({ status })
    },
  })

  gauge('toolscope_store_up', '1 if the store works.', () => Number(store.status().state === 'ready'))
  if (store.dialect === 'postgres') {
    new Gauge({
      name: 'toolscope_store_pool_connections',
      help: 'Connections to PostgreSQL, by state.',
      labelNames: ['state'],
      registers,
      collect() {
        const { idle = 0, open = 0 } = store.pool() ?? {}
        this.set({ state: 'idle' }, idle)
        this.set({ state: 'busy' }, open - idle)
      },
    })
    const poolGauge = (name: string, help: string, field: 'max' | 'waiting') =>
      gauge(`toolscope_store_pool_${name}`, help, () => store.pool()?.[field] ?? 0)
    poolGauge('max', 'Maximum number of connections to PostgreSQL.', 'max')
    poolGauge('waiting', 'Queries that wait for a connection.', 'waiting')
  }
  gauge(
    'toolscope_history_waiting_records',
    'Records of calls in memory that are not in the store yet.',
    () => history.backlog().waiting,
  )
  counter(
    'toolscope_history_lost_records_total',
    'Records of calls that neither the store nor the spool accepted.',
    () => history.backlog().lost,
  )
  gauge(
    'toolscope_spool_bytes',
    'Bytes of records in files: of calls that run, and of those that the store did not accept.',
    () => history.backlog().spoolBytes,
  )
  return { contentType: registry.contentType, render: () => registry.metrics() }
}
