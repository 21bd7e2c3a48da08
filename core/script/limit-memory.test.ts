import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { limitMemory } from './limit-memory.ts'

/** A module with one memory of a page without a bound, exported as `m`. */
const module = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 109, 2, 0)

interface Wasm {
  instantiate(bytes: Uint8Array): Promise<{
    instance: { exports: { m: { buffer: ArrayBuffer; grow(pages: number): number } } }
  }>
  validate(bytes: Uint8Array): boolean
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm }

it('limitMemory: bounds the memory that a module can take', async () => {
  const free = (await WebAssembly.instantiate(module)).instance.exports.m
  expect(free.grow(10)).toBe(1)
  const bound = (await WebAssembly.instantiate(limitMemory(module, 4 * 65_536))).instance.exports.m
  expect(bound.grow(3)).toBe(1)
  expect(() => bound.grow(1)).toThrow(RangeError)
})

it('limitMemory: leaves the script engine a valid module', () => {
  const path = createRequire(import.meta.url).resolve('@everruns/bashkit-wasm/bashkit_wasm_bg.wasm')
  const limited = limitMemory(readFileSync(path), 256 * 1024 * 1024)
  expect(WebAssembly.validate(limited)).toBe(true)
})

it('limitMemory: refuses bytes that are not a WebAssembly module', () => {
  expect(() => limitMemory(new Uint8Array(), 1)).toThrow('no WebAssembly module')
  expect(() => limitMemory(new TextEncoder().encode('<!doctype html><p>not it'), 1)).toThrow()
})
