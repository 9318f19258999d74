import { createCipheriv, generateKeyPairSync } from 'node:crypto'
import type { SimulatedTime } from '../../clock/rules/clock'
import { openRecent } from '../../sessions/rules/recent'
import type { Session } from '../../sessions/rules/session'
import { decryptedBy, type KeyPair } from '../rsa'

/** The application's RSA keys: there is a new one every virtual day, and only the key of today is accepted. */
export interface SigningKeys {
  current(): SigningKey
  /** Whether `x-signature` is the body encrypted with the AES key in `x-key`. */
  hasSigned(body: string, signature: string, encryptedKey: string): boolean
  /** The decrypted text; undefined when it was not encrypted with the key of today. */
  decrypted(base64: string): string | undefined
}

export interface SigningKey {
  readonly id: number
  /** Base64 of the DER. */
  readonly publicKey: string
  readonly lifeMs: number
}

interface Opened {
  readonly key: Buffer
  readonly iv: Buffer
}

interface Place {
  readonly session: Session
  readonly time: SimulatedTime
}

const dayMs = 86_400_000
const modulusLength = 1_024

/** Every session accepts the home session's key too, because a stack that names no session gets its key there. */
export function keyOffice(): (place: Place) => SigningKeys {
  const pairs = openRecent<KeyPair>(10)
  const pairOf = (id: number) => {
    const known = pairs.get(String(id))
    if (known !== undefined) return known
    const pair = generateKeyPairSync('rsa', { modulusLength })
    pairs.set(String(id), pair)
    return pair
  }
  let home: SigningKeys | undefined
  return ({ session, time }) => {
    const today = () => Math.floor(time.now() / dayMs)
    const keys: SigningKeys = {
      current() {
        const id = today()
        const der = pairOf(id).publicKey.export({ type: 'spki', format: 'der' })
        return { id, publicKey: der.toString('base64'), lifeMs: (id + 1) * dayMs - time.now() }
      },
      decrypted: (base64) =>
        decryptedBy(pairOf(today()), base64) ??
        (session.isHome ? undefined : home?.decrypted(base64)),
      hasSigned(body, signature, encryptedKey) {
        const opened = open(pairOf(today()), encryptedKey)
        if (opened !== undefined) return encrypted(body, opened) === signature
        return !session.isHome && home?.hasSigned(body, signature, encryptedKey) === true
      },
    }
    if (session.isHome) home = keys
    return keys
  }
}

/** An AES key of 32 bytes and an iv of 16, each in base64. */
const keyAndIv = /^([\w+/]{43}=):([\w+/]{22}==)$/

/** The AES key and the iv in `x-key`; undefined when they were not encrypted with this key. */
function open(pair: KeyPair, encryptedKey: string): Opened | undefined {
  const found = keyAndIv.exec(decryptedBy(pair, encryptedKey) ?? '')
  if (found === null) return undefined
  const [, key = '', iv = ''] = found
  return { key: Buffer.from(key, 'base64'), iv: Buffer.from(iv, 'base64') }
}

function encrypted(body: string, { key, iv }: Opened): string {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return cipher.update(body, 'utf8', 'base64') + cipher.final('base64')
}
