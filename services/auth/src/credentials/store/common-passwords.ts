import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The first four bytes of the SHA-256 of each of the 20,000 commonest passwords of ten characters or more, in ascending
 * order; the README has their source. One in 200,000 uncommon passwords has the same four bytes, and is refused by
 * mistake.
 */
const digests = readFileSync(join(__dirname, '../../../data/common-passwords.bin'))
const digestBytes = 4

/** Whether a password is in public lists, ignoring case and spaces around it. */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').trim().toLowerCase()
  const sought = createHash('sha256').update(folded).digest().readUInt32BE(0)
  let [low, high] = [0, digests.length / digestBytes]
  while (low < high) {
    const middle = (low + high) >> 1
    if (digests.readUInt32BE(middle * digestBytes) < sought) low = middle + 1
    else high = middle
  }
  return low * digestBytes < digests.length && digests.readUInt32BE(low * digestBytes) === sought
}
