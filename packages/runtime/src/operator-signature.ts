import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface SignedAct {
  /** The path of the method, such as `/ledger.v1.LedgerService/AskRefund`. */
  readonly method: string
  /** The encoded request. */
  readonly request: Buffer
  readonly operatorId: string
  /** ISO 8601, by the operator's clock. */
  readonly signedAt: string
  readonly nonce: string
  /** Ed25519, 64 bytes. */
  readonly signature: Buffer
}

/** The verifier of an act: the ledger of a country, or auth. Others refuse the act. */
export type ActAudience = 'ke' | 'ug' | 'auth'

/** An operator's key pair, with the private key. */
export interface OperatorIdentity {
  readonly operatorId: string
  /** 32 bytes. */
  readonly publicKey: Buffer
  sign(audience: ActAudience, act: Omit<SignedAct, 'signature' | 'operatorId'>): SignedAct
}

/** The id of a key: `op_` and 24 hex digits of its SHA-256. The ledger's database checks the same format. */
export function operatorIdOf(publicKey: Buffer): string {
  return `op_${createHash('sha256').update(publicKey).digest('hex').slice(0, 24)}`
}

export function openOperatorIdentity(privateKey: KeyObject): OperatorIdentity {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  const operatorId = operatorIdOf(publicKey)
  return {
    operatorId,
    publicKey,
    sign(audience, act) {
      const unsigned = { ...act, operatorId }
      const signature = sign(null, signedText(audience, unsigned), privateKey)
      return { ...unsigned, signature }
    },
  }
}

/** Whether this act was signed for this audience by the owner of this key. */
export function isSignedBy(publicKey: Buffer, audience: ActAudience, act: SignedAct): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, signedText(audience, act), key, act.signature)
}

/** One line for each part; no part may contain a line break, so no two acts have the same text. */
function signedText(audience: ActAudience, act: Omit<SignedAct, 'signature'>): Buffer {
  const digest = createHash('sha256').update(act.request).digest('hex')
  const { method, operatorId, signedAt, nonce } = act
  const lines = ['malipo operator act 1', audience, method, digest, operatorId, signedAt, nonce]
  return Buffer.from(lines.join('\n'))
}

const shapes = {
  method: /^\/[\w.]{1,60}\/\w{1,60}$/,
  operatorId: /^op_[0-9a-f]{24}$/,
  signedAt: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  nonce: /^[0-9a-f-]{16,64}$/,
} as const

/** Whether all parts of an act are well formed: nothing else is verified or stored. */
export function isWellFormed(act: SignedAct): boolean {
  const parts = Object.entries(shapes) as [keyof typeof shapes, RegExp][]
  return (
    parts.every(([part, shape]) => shape.test(act[part])) &&
    isInstant(act.signedAt) &&
    act.signature.length === 64
  )
}

/** Checks the calendar too: JavaScript reads 31 November as 1 December, and PostgreSQL refuses it. */
function isInstant(text: string): boolean {
  const atMs = Date.parse(text)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString() === text
}
