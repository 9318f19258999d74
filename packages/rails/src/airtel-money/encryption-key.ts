import { createPublicKey, type KeyObject } from 'node:crypto'
import { type Exchange, readJson, type Issued } from '../exchange'
import { keyAnswer } from './wire'

export const keyPath = '/v1/rsa/encryption-keys'

const daySeconds = 86_400
/** The life of a key whose end Airtel does not name, or names in a form that cannot be read. */
const hourSeconds = 3_600
const minuteSeconds = 60

/** Reads the answer about the application's encryption key for `openTokens`: the key in PEM and its life. */
export async function issuedKey(answer: Exchange, nowMs: number): Promise<Issued> {
  if (answer.kind !== 'answered') return unavailable(answer.detail)
  const parsed = keyAnswer.safeParse(readJson(answer.body))
  if (!parsed.success) return unavailable(`http ${String(answer.status)}`)
  const { key, valid_upto: until } = parsed.data
  const publicKey = await keyOf(key)
  if (publicKey === undefined) return unavailable('no RSA key of 1024 bits or more')
  const token = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return { kind: 'issued', token, lifeSeconds: lifeSeconds(until ?? '', nowMs) }
}

function unavailable(detail: string): Issued {
  return { kind: 'unavailable', detail: `encryption key: ${detail}` }
}

/** A key of 512 bits is too short for the AES key and the iv that are encrypted with it. */
const bitsMin = 1_024

/** The key in base64, in PEM or bare, or undefined when the text is not a key. */
async function keyOf(text: string): Promise<KeyObject | undefined> {
  const key = Buffer.from(text.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  const read = async (type: 'spki' | 'pkcs1') =>
    Promise.resolve({ key, format: 'der' as const, type }).then(createPublicKey)
  const publicKey = await read('spki').catch(() => read('pkcs1').catch(() => undefined))
  const bits = publicKey?.asymmetricKeyDetails?.modulusLength ?? 0
  return publicKey?.asymmetricKeyType === 'rsa' && bits >= bitsMin ? publicKey : undefined
}

const dayFirst = /^(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d)$/

/**
 * How long a key is used: until its end, but a day at most, because the form of the date rests on one sample, and a
 * minute at least. The time is read as Kampala's, which ends a key no later than any other reading.
 */
function lifeSeconds(until: string, nowMs: number): number {
  const iso = until.replace(dayFirst, '$3-$2-$1T$4+03:00')
  const endsAtMs = Date.parse(iso)
  if (Number.isNaN(endsAtMs)) return hourSeconds
  return Math.min(daySeconds, Math.max(minuteSeconds, (endsAtMs - nowMs) / 1_000))
}
