import { expect, test } from 'vitest'
import { freeName } from './free-name.ts'

test('freeName: gives a taken name the first number that is free', () => {
  const taken = new Set(['acme', 'acme-2', 'acme-4'])
  expect(freeName('shop', taken)).toBe('shop')
  expect(freeName('acme', taken)).toBe('acme-3')
  expect(freeName('acme', taken, number => `${number}:acme`)).toBe('2:acme')
})

test('freeName: asks for each number of a set of names only once', () => {
  const taken = new Set<string>()
  const nextNumbers = new Map<string, number>()
  let asked = 0
  const has = (name: string) => {
    asked += 1
    return taken.has(name)
  }
  const names = ['a-3', ...Array.from({ length: 100 }, () => 'a')].map(wanted => {
    const name = freeName(wanted, { has }, number => `${wanted}-${number}`, nextNumbers)
    taken.add(name)
    return name
  })
  expect(names.slice(0, 5)).toEqual(['a-3', 'a', 'a-2', 'a-4', 'a-5'])
  expect(asked).toBeLessThan(300)
})
