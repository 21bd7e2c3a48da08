/**
 * Limits the memory of a WebAssembly module. The engine counts the memory of its scripts, but not that of its own jq:
 * `jq -n '[range(1e9)]'` would grow to 4 GiB.
 *
 * Rewrites the memory section (https://webassembly.github.io/spec/core/binary/modules.html#memory-section).
 */
const pageBytes = 65_536
const memorySection = 5
const headerLength = 8

/** Returns the module with `maximum` bytes for its first memory. Throws if the bytes are not such a module. */
export function limitMemory(module: Uint8Array, maximum: number): Uint8Array<ArrayBuffer> {
  let at = headerLength
  while (at < module.length) {
    const id = module[at]
    const size = readNumber(module, at + 1)
    const start = size.next
    if (id === memorySection) {
      const count = readNumber(module, start)
      const flags = module[count.next]
      const least = readNumber(module, count.next + 1)
      if (count.value !== 1 || flags === undefined || flags > 1) break
      const body = [
        1,
        1,
        ...number(least.value),
        ...number(Math.max(least.value, Math.floor(maximum / pageBytes))),
      ]
      return joined(
        module.subarray(0, at),
        [memorySection, ...number(body.length), ...body],
        module.subarray(start + size.value),
      )
    }
    at = start + size.value
  }
  throw new Error('the engine is no WebAssembly module with one memory of its own')
}

function joined(...parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Reads an unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let at = from, scale = 1; at < from + 5; at++, scale *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return { value, next: at + 1 }
  }
  throw new Error('a number of the module is too long')
}

function number(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low + 128 : low)
  } while (rest > 0)
  return bytes
}
