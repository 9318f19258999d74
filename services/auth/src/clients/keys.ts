import { randomUUID } from 'node:crypto'
import {
  type CreateKeyResponse,
  type Key as WireKey,
  KeyServiceClient,
  type ListKeysResponse,
  type RevokeKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { openPinProofSigner } from '@malipo/contracts/pin-proof'
import type { Country } from '@malipo/kernel/countries'
import { clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import type { ProvenPin } from '../credentials/rules/pin-lock'
import { present } from './present'

const readMs = 1_500
const writeMs = 3_000

/** The parts of a key that stay visible after its creation. */
export interface Key {
  readonly keyId: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
  readonly revokedAt: Date | undefined
}

/** The hub's calls to the key service. Fault: keys_unavailable. */
export type Keys = ReturnType<typeof openKeys>

export function openKeys(options: {
  readonly address: string
  readonly identity: TlsIdentity
  readonly pinProofPrivateKey: Buffer
}) {
  const client = new KeyServiceClient(
    options.address,
    options.identity.channel,
    clientOptionsTo('keys'),
  )
  const call = openCall('keys_unavailable')
  const signPinProof = openPinProofSigner(options.pinProofPrivateKey)
  return {
    /** Requires the proof from a successful PIN check; nothing else can make a key. Fault: pin_not_proven. */
    async create(pin: ProvenPin, country: Country): Promise<{ secretKey: string; key: Key }> {
      const { accountId, provenAt } = pin
      const nonce = randomUUID()
      const signature = signPinProof({ accountId, country, provenAt, nonce })
      const request = { accountId, country, pinProof: { provenAt, nonce, signature } }
      const { secretKey, key } = await call<CreateKeyResponse>(
        writeMs,
        (metadata, callOptions, done) => client.createKey(request, metadata, callOptions, done),
      )
      return { secretKey, key: keyOf(present(key, 'key')) }
    },

    /** False when there was no live key. */
    async revoke(accountId: string): Promise<boolean> {
      const { revoked } = await call<RevokeKeyResponse>(writeMs, (metadata, callOptions, done) =>
        client.revokeKey({ accountId }, metadata, callOptions, done),
      )
      return revoked
    },

    async list(accountId: string): Promise<Key[]> {
      const { keys } = await call<ListKeysResponse>(readMs, (metadata, callOptions, done) =>
        client.listKeys({ accountId }, metadata, callOptions, done),
      )
      return keys.map(keyOf)
    },

    close: () => {
      client.close()
    },
  }
}

function keyOf(wire: WireKey): Key {
  const { keyId, prefix, lastFour, lastUsedAt, revokedAt } = wire
  const createdAt = present(wire.createdAt, 'created_at')
  return { keyId, prefix, lastFour, createdAt, lastUsedAt, revokedAt }
}
