import {
  KeyServiceClient,
  type VerifyKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import type { Country } from '@malipo/kernel/countries'
import { clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'

/** Each merchant request waits for this call first, so the timeout is short; then the answer is 503 2782. */
const verifyMs = 800

export interface KeysOptions {
  readonly address: string
  readonly identity: TlsIdentity
  readonly country: Country
}

export function openKeys({ address, identity, country }: KeysOptions) {
  const client = new KeyServiceClient(address, identity.channel, clientOptionsTo('keys'))
  const call = openCall('keys_unavailable')
  return {
    /** The owner of the live key of this country with this SHA-256; undefined when there is none. Fault: keys_unavailable. */
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
