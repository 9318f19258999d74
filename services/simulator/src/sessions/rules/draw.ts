/**
 * Random values without a generator: a pure function of the seed and a label. Traffic on one phone therefore does not
 * change the values of another, and one seed reproduces a run call by call.
 */

/** A number from 0 to below 1. */
export function draw(seed: string, label: string): number {
  return mix(`${seed}\u0000${label}`) / 2 ** 32
}

/** One of the options, with equal probability. */
export function pick<Option>(
  seed: string,
  label: string,
  options: readonly [Option, ...Option[]],
): Option {
  return options[Math.floor(draw(seed, label) * options.length)] ?? options[0]
}

/** That many lower-case hex digits. */
export function drawHex(seed: string, label: string, digits: number): string {
  let text = ''
  for (let block = 0; text.length < digits; block += 1) {
    text += mix(`${seed}\u0000${label}\u0000${String(block)}`)
      .toString(16)
      .padStart(8, '0')
  }
  return text.slice(0, digits)
}

export function drawBig(seed: string, label: string): bigint {
  return BigInt(`0x${drawHex(seed, label, 11)}`)
}

/** FNV-1a over the characters, finished as MurmurHash3 does: even, quick, and not secret. */
function mix(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
