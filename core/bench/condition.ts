/** `--fail-if`: a figure, a comparison and a limit, such as `p95>200ms`. */
import { AppError } from '../errors.ts'
import type { Histogram } from './histogram.ts'
import { countText, parseRate, parseTime, rateText, timeText } from './quantities.ts'

/** What conditions are about. */
export interface Measured {
  /** Of the calls that ended. */
  readonly times: Histogram
  /** With those that were due and could not be sent. */
  readonly calls: number
  readonly errors: number
  readonly ratePerSecond: number
}

export interface Condition {
  /** As it was written. */
  readonly text: string
  /** The figure that it is about; undefined where no call ended. */
  readFrom(measured: Measured): number | undefined
  /** Whether the run fails by it. A figure that is missing fails. */
  isMet(measured: Measured): boolean
  textOf(value: number): string
}

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
}

const hint =
  'Write a figure (p50, p95, p99, max, mean, errors, rate), >, >=, < or <=, and a limit: "p95>200ms", "errors>1%", "rate<50/s".'

/** Throws AppError `usage`, which says what is wrong with the expression. */
export function parseCondition(text: string): Condition {
  const refuse = (why: string) => new AppError('usage', `--fail-if "${text}": ${why}`, { hint })
  const [, name = '', comparison = '', limitText = ''] =
    /^\s*([\w.]+)\s*(>=|<=|>|<)\s*(\S(?:.*\S)?)\s*$/.exec(text) ?? []
  const compare = comparisons[comparison]
  if (text.includes(',')) throw refuse('give each condition a --fail-if of its own')
  if (compare === undefined) throw refuse('this is not a comparison')
  const figure = figureOf(name, limitText)
  if (figure === undefined) throw refuse(`there is no figure "${name}"`)
  if (figure.limit === undefined) throw refuse(`"${limitText}" is not ${figure.wanted}`)
  const { limit, read, textOf } = figure
  const readFrom = (measured: Measured) => (measured.times.count === 0 ? undefined : read(measured))
  return {
    text: text.trim(),
    readFrom,
    textOf,
    isMet: measured => {
      const value = readFrom(measured)
      return value === undefined || compare(value, limit)
    },
  }
}

interface Figure {
  readonly limit: number | undefined
  /** What the limit has to be. */
  readonly wanted: string
  readonly read: (measured: Measured) => number
  readonly textOf: (value: number) => string
}

function figureOf(name: string, limit: string): Figure | undefined {
  const time = (read: (times: Histogram) => number): Figure => ({
    limit: parseTime(limit),
    wanted: 'a time with its unit, such as 200ms',
    read: ({ times }) => read(times),
    textOf: timeText,
  })
  if (name === 'max') return time(times => times.maxMs)
  if (name === 'mean') return time(times => times.meanMs)
  const percent = Number(/^p(\d{1,2}(?:\.\d{1,3})?)$/.exec(name)?.[1])
  if (percent > 0) return time(times => times.percentile(percent))
  if (name === 'rate')
    return {
      limit: parseRate(limit),
      wanted: 'a rate, such as 50/s',
      read: ({ ratePerSecond }) => ratePerSecond,
      textOf: rateText,
    }
  if (name !== 'errors') return undefined
  const [, number, percentSign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(limit) ?? []
  return {
    limit: number === undefined ? undefined : Number(number),
    wanted: 'a count or a share, such as 0 or 1%',
    read: ({ errors, calls }) => (percentSign ? (errors / calls) * 100 : errors),
    textOf: value => (percentSign ? `${Number(value.toFixed(2))}%` : countText(value)),
  }
}
