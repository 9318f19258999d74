import {
  type CreateKeyRequest,
  type Key as WireKey,
  type KeyServiceServer,
  KeyServiceService,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { present } from '@malipo/contracts/present'
import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { type GrpcClientOptions, openGrpcClient } from '@malipo/runtime/grpc-client'

/** The parts of a key that stay visible after its creation. */
export interface Key extends Readonly<Omit<WireKey, 'createdAt'>> {
  readonly createdAt: Date
}

export interface KeyOwner {
  readonly accountId: string
  /** The account's cell of the country. */
  readonly cell: Cell
}

/** The request for a key, with the proof that the owner has just entered the PIN. */
export type NewKey = Readonly<CreateKeyRequest>

export interface KeysOptions extends Pick<GrpcClientOptions, 'address' | 'identity'> {
  /** How long a caller waits for the answer to a read; `writeMs` is for a call that changes something. */
  readonly readMs: number
  readonly writeMs?: number
}

/** The key service. It refuses a method that is not for this caller. Fault: keys_unavailable. */
export type Keys = ReturnType<typeof openKeys>

export function openKeys({ readMs, writeMs = readMs, ...rest }: KeysOptions) {
  const client = openGrpcClient<KeyServiceServer>({
    ...rest,
    server: 'keys',
    definition: KeyServiceService,
    whenUnavailable: 'keys_unavailable',
  })
  const reads = client.within(readMs)
  const writes = client.within(writeMs)
  return {
    /** The owner of the live key of a country with this SHA-256; undefined when there is none. */
    async verify(keySha256: Buffer, country: Country): Promise<KeyOwner | undefined> {
      const { accountId, cell = firstCell } = await reads.verifyKey({ keySha256, country })
      return accountId === undefined ? undefined : { accountId, cell }
    },

    /** Makes a key, which replaces the account's live key. Fault: pin_not_proven. */
    async create(request: NewKey): Promise<{ secretKey: string; key: Key }> {
      const { secretKey, key } = await writes.createKey(request)
      return { secretKey, key: keyOf(present(key, 'key')) }
    },

    /** Revokes the live key of an account; false when there was none. */
    async revoke(accountId: string): Promise<boolean> {
      return (await writes.revokeKey({ accountId })).revoked
    },

    async list(accountId: string): Promise<Key[]> {
      return (await reads.listKeys({ accountId })).keys.map(keyOf)
    },

    close: client.close,
  }
}

function keyOf(wire: WireKey): Key {
  return { ...wire, createdAt: present(wire.createdAt, 'created_at') }
}
