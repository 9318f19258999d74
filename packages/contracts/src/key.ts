import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from './same-secret'
import { crc32 } from 'node:zlib'

/**
 * The secret key of a merchant (interface, Authentication 2): `mkp_test_` or `mkp_live_`, then 52 base32 characters.
 *
 *     mkp_test_ RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR CCCCCC TTTTTT
 *               40 random characters (200 bits)          CRC    tag
 *
 * The CRC-32 lets scanners for leaked secrets tell a key from a look-alike without asking us. The tag is an HMAC with a
 * secret of ours: an invented key is refused where it arrives, so a flood of them costs no look-up.
 */
export type KeyMode = 'test' | 'live'

/** The size of the random part: 25 bytes are exactly 40 characters. */
export const keyRandomBytes = 25

const keyShape = /^mkp_(?<mode>test|live)_[A-Z2-7]{52}$/
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Six characters carry 30 bits: one invented key in a thousand million passes the tag, and costs a lookup. */
const tagLength = 6

/** Makes a key out of `keyRandomBytes` bytes of a CSPRNG. */
export function buildKey(mode: KeyMode, random: Uint8Array, checkSecret: Buffer): string {
  if (random.length !== keyRandomBytes)
    throw new RangeError(`A key needs ${String(keyRandomBytes)} random bytes`)
  const unchecked = `mkp_${mode}_${base32(random)}`
  const untagged = unchecked + checksum(unchecked)
  return untagged + tag(untagged, checkSecret)
}

export function modeOfKey(text: string): KeyMode | undefined {
  return keyShape.exec(text)?.groups?.['mode'] as KeyMode | undefined
}

/** Whether we may have issued this key, in this mode. The key may still be revoked. */
export function isPossibleKey(text: string, mode: KeyMode, checkSecret: Buffer): boolean {
  if (modeOfKey(text) !== mode) return false
  // The tag covers everything before it, including the checksum.
  const expected = tag(text.slice(0, -tagLength), checkSecret)
  return isSameSecret(text.slice(-tagLength), expected)
}

/** The form of a key between our processes and in caches: the SHA-256 of the whole key, 32 bytes. */
export function digestKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksum(unchecked: string): string {
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crc32(unchecked))
  return base32(crc)
}

function tag(untagged: string, checkSecret: Buffer): string {
  return base32(createHmac('sha256', checkSecret).update(untagged).digest()).slice(0, tagLength)
}

/**
 * RFC 4648 base32. Trailing bits that fill no character are dropped: a CRC of 32 bits gives six characters, 30 bits.
 */
function base32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    heldBits += 8
    while (heldBits >= 5) {
      heldBits -= 5
      text += base32Alphabet[held >> heldBits] ?? ''
      held &= (1 << heldBits) - 1
    }
  }
  return text
}
