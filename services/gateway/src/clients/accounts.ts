import {
  AccountServiceClient,
  type GetAccountResponse,
  type ResolvedHandle as WireHandle,
  type ResolveHandleResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { type Country, isCountry } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Minor } from '@malipo/kernel/money'
import { clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import type { Log } from '@malipo/runtime/log'
import { LRUCache } from 'lru-cache'

const resolveMs = 1_500
const recordMs = 2_000
/** The longest a page waits for the payee's name; without it the page shows a stand-in. */
const nameMs = 500
/** A name changes rarely, and an old one for five minutes does no harm. */
const cacheMs = 300_000
const cachedMax = 5_000

export interface AccountsOptions {
  readonly address: string
  readonly identity: TlsIdentity
  readonly log: Log
}

/** The payee of a handle. */
export interface ResolvedHandle {
  /** The handle in the owner's spelling. */
  readonly handle: string
  readonly accountId: string
  readonly username: string
  readonly displayName: string
  readonly profileImageUrl: string | undefined
  readonly homeCountry: Country
  /** The amount that a payment link suggests. */
  readonly title: string | undefined
  readonly suggestedMinor: Minor | undefined
  /** Whether the owner accepts payments; the ledger decides whether the wallet can take them. */
  readonly acceptsPayments: boolean
}

/** One answered request of a merchant's server, for the request log of its account. */
export interface MerchantRequest {
  readonly requestId: string
  readonly accountId: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** The API error code; 0 for a success. */
  readonly code: number
  readonly milliseconds: number
  readonly at: Date
}

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts({ address, identity, log }: AccountsOptions) {
  const client = new AccountServiceClient(address, identity.channel, clientOptionsTo('auth'))
  // An error that only adds the cause to the log; the request goes on.
  const call = openCall('internal')
  const callOrRefuse = openCall('unavailable')
  const names = new LRUCache<string, string>({ max: cachedMax, ttl: cacheMs })
  return {
    /** The display name of an account; undefined when it cannot be looked up now. */
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

    /** The payee of a handle; undefined for an unknown handle. Faults: unavailable. */
    async resolveHandle(handle: string): Promise<ResolvedHandle | undefined> {
      const { resolved } = await callOrRefuse<ResolveHandleResponse>(
        resolveMs,
        (metadata, options, done) => client.resolveHandle({ handle }, metadata, options, done),
      )
      return resolved && resolvedHandleOf(resolved)
    },

    /** Stores at most 200 requests in the request log; repeating a call changes nothing. No request waits for it. */
    recordRequests: async (requests: readonly MerchantRequest[]): Promise<void> => {
      await callOrRefuse(recordMs, (metadata, options, done) =>
        client.recordRequests({ requests: [...requests] }, metadata, options, done),
      )
    },

    close: () => {
      client.close()
    },
  }
}

function resolvedHandleOf({ account, handle, title, amount, acceptsPayments }: WireHandle) {
  if (account === undefined || !isCountry(account.homeCountry)) {
    throw new Fault('internal', { missing: 'account' })
  }
  const { accountId, username, displayName, profileImageUrl, homeCountry } = account
  return {
    handle,
    accountId,
    username,
    displayName,
    profileImageUrl,
    homeCountry,
    title,
    suggestedMinor: amount?.minor,
    acceptsPayments,
  }
}
