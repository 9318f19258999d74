import {
  KeyServiceClient,
  type VerifyKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import type { Country } from '@malipo/kernel/countries'
import { clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'

/** A merchant waits for this before anything is done for him: short, and then 503 2782. */
const verifyMs = 800

export interface KeysOptions {
  readonly address: string
  readonly internalSecret: Buffer
  readonly country: Country
}

export function openKeys({ address, internalSecret, country }: KeysOptions) {
  const client = new KeyServiceClient(address, clientCredentials, clientOptions)
  const call = openCall(internalSecret, 'keys_unavailable')
  return {
    /** Whose live key of this country has this SHA-256; undefined when nobody's. Fault: keys_unavailable. */
    verify: async (keySha256: Buffer): Promise<string | undefined> => {
      const { accountId } = await call<VerifyKeyResponse>(verifyMs, (metadata, options, done) =>
        client.verifyKey({ keySha256, country }, metadata, options, done),
      )
      return accountId
    },

    close: () => {
      client.close()
    },
  }
}
