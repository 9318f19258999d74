import {
  AccountServiceClient,
  type GetAccountResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import { LRUCache } from 'lru-cache'

/** A name on a page is worth this wait and no longer: the page is as good without it. */
const nameMs = 500
/** A name changes rarely, and an old one for five minutes misleads nobody. */
const cacheMs = 300_000
const cachedMax = 5_000

export interface AccountsOptions {
  readonly address: string
  readonly internalSecret: Buffer
  readonly log: Log
}

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts({ address, internalSecret, log }: AccountsOptions) {
  const client = new AccountServiceClient(address, clientCredentials, clientOptions)
  // Nobody is refused for it: the reason only names what happened in the log.
  const call = openCall(internalSecret, 'internal')
  const names = new LRUCache<string, string>({ max: cachedMax, ttl: cacheMs })
  return {
    /** How an account calls itself; undefined when nobody can say it now. */
    async displayName(accountId: string): Promise<string | undefined> {
      const known = names.get(accountId)
      if (known !== undefined) return known
      try {
        const { account } = await call<GetAccountResponse>(nameMs, (metadata, options, done) =>
          client.getAccount({ accountId }, metadata, options, done),
        )
        if (account !== undefined) names.set(accountId, account.displayName)
        return account?.displayName
      } catch (error) {
        log.warn({ error, accountId }, 'the name of a payee is not known')
        return undefined
      }
    },

    close: () => {
      client.close()
    },
  }
}
