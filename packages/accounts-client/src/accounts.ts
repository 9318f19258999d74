import {
  type AccountServiceServer,
  AccountServiceService,
  type MerchantRequest as WireRequest,
  type ResolvedHandle as WireHandle,
  type WebhookEndpoint as WireEndpoint,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { present } from '@malipo/contracts/present'
import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { type GrpcClientOptions, openGrpcClient } from '@malipo/runtime/grpc-client'
import type { Log } from '@malipo/runtime/log'
import { shareAnswers } from '@malipo/runtime/share-answers'
import { LRUCache } from 'lru-cache'

/** The longest wait for a payee's name. Without the name a page and a prompt show a stand-in. */
const nameMs = 500
/** A name changes rarely, and an old one for five minutes does no harm. */
const cacheMs = 300_000
const cachedMax = 5_000

export interface AccountsOptions extends Pick<GrpcClientOptions, 'address' | 'identity'> {
  /** How long a caller waits for the answer to a read; `writeMs` is for a call that changes something. */
  readonly readMs: number
  readonly writeMs?: number
  /** Names that cannot be looked up are logged here. */
  readonly log?: Log
}

/** The payee of a handle. */
export interface ResolvedHandle {
  /** The handle in the owner's spelling. */
  readonly handle: string
  readonly accountId: string
  readonly username: string
  readonly displayName: string
  readonly profileImageUrl: string | undefined
  readonly homeCountry: string
  /** The account's cell in its home country. */
  readonly cell: Cell
  /** The title and the suggested amount are those of a payment link. */
  readonly title: string | undefined
  readonly suggestedMinor: Minor | undefined
  /** Whether the owner accepts payments; the ledger decides whether the wallet can take them. */
  readonly acceptsPayments: boolean
}

/** Who is paid, and by which handle. */
export type Payee = Pick<ResolvedHandle, 'accountId' | 'handle'>

/** One answered request of a merchant's server, for the request log of its account. `code` is 0 for a success. */
export interface MerchantRequest extends Readonly<Omit<WireRequest, 'at'>> {
  readonly at: Date
}

/** The endpoint for an account's events, and the keys that sign them. */
export type WebhookEndpoint = Readonly<WireEndpoint>

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts({ readMs, writeMs = readMs, log, ...rest }: AccountsOptions) {
  const client = openGrpcClient<AccountServiceServer>({
    ...rest,
    server: 'auth',
    definition: AccountServiceService,
    whenUnavailable: 'unavailable',
  })
  const { getAccount } = client.within(nameMs)
  const reads = client.within(readMs)
  const writes = client.within(writeMs)
  const names = new LRUCache<string, string>({ max: cachedMax, ttl: cacheMs })
  // Many payers of a shop may look up its handle at one time: they share one call.
  const resolveHandle = shareAnswers(
    async (handle: string): Promise<ResolvedHandle | undefined> => {
      const { resolved } = await reads.resolveHandle({ handle })
      return resolved && resolvedHandleOf(resolved)
    },
  )
  const askName = shareAnswers(async (accountId: string) => {
    try {
      const { account } = await getAccount({ accountId })
      if (account !== undefined) names.set(accountId, account.displayName)
      return account?.displayName
    } catch (error) {
      log?.warn({ error, accountId }, 'the name of a payee is not known')
      return undefined
    }
  })
  return {
    /** The display name of an account; undefined when it cannot be looked up now. */
    displayName: async (accountId: string): Promise<string | undefined> =>
      names.get(accountId) ?? (await askName(accountId)),

    /** The payee of a handle; undefined for an unknown handle and a closed link. Fault: unavailable. */
    resolveHandle,

    /** The payee of a handle, if its owner is in this cell and accepts payments; else undefined. Fault: unavailable. */
    async findPayee(handle: string, country: Country, cell: Cell): Promise<Payee | undefined> {
      const found = await resolveHandle(handle)
      if (found?.homeCountry !== country || found.cell !== cell) return undefined
      if (!found.acceptsPayments) return undefined
      return { accountId: found.accountId, handle: found.handle }
    },

    /** The URL and the secrets of an endpoint; undefined when it was removed. Fault: unavailable. */
    async findWebhookEndpoint(endpointId: string): Promise<WebhookEndpoint | undefined> {
      return (await reads.readWebhookEndpoint({ endpointId })).endpoint
    },

    /** Stores at most 200 requests in the request log; repeating a call changes nothing. Fault: unavailable. */
    recordRequests: async (requests: readonly MerchantRequest[]): Promise<void> => {
      await writes.recordRequests({ requests: [...requests] })
    },

    close: client.close,
  }
}

function resolvedHandleOf({ account, amount, ...plain }: WireHandle): ResolvedHandle {
  const { handle, title, acceptsPayments } = plain
  const { accountId, username, displayName, profileImageUrl, homeCountry, cell } = present(
    account,
    'account',
  )
  return {
    ...{ handle, accountId, username, displayName, profileImageUrl, homeCountry, cell },
    ...{ title, suggestedMinor: amount?.minor, acceptsPayments },
  }
}
