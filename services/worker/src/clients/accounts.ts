import {
  AccountServiceClient,
  type GetAccountResponse,
  type ReadWebhookEndpointResponse,
  type ResolveHandleResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import { LRUCache } from 'lru-cache'

/** Only background jobs wait for this answer, so the timeout may be longer than a payer would wait. */
const resolveMs = 3_000
/** A payer waits for the prompt meanwhile, so this timeout is short. */
const nameMs = 500
const endpointMs = 3_000
/** A name changes rarely, and an old one in a prompt for five minutes does no harm. */
const cacheMs = 300_000
const cachedMax = 5_000

/** The payee of a handle in this country. */
export interface Payee {
  readonly accountId: string
  /** The handle in the owner's spelling. */
  readonly handle: string
}

/** The endpoint for an account's events, and the keys that sign them. */
export interface WebhookEndpoint {
  readonly url: string
  readonly secrets: readonly Buffer[]
}

/** `unanswered`: the lookup failed and may be repeated. */
export type FoundPayee = Payee | 'unanswered' | undefined

export type Accounts = ReturnType<typeof openAccounts>

export function openAccounts(options: {
  readonly address: string
  readonly identity: TlsIdentity
  readonly country: Country
}) {
  const client = new AccountServiceClient(
    options.address,
    options.identity.channel,
    clientOptionsTo('auth'),
  )
  const call = openCall('unavailable')
  const names = new LRUCache<string, string>({ max: cachedMax, ttl: cacheMs })
  return {
    /**
     * The payee of a handle; undefined for an unknown handle, a closed link, another country, or an owner who takes
     * no payments. `unanswered` when the lookup failed.
     */
    async findPayee(handle: string): Promise<FoundPayee> {
      try {
        return await resolve(handle)
      } catch (error) {
        if (error instanceof Fault && error.reason === 'unavailable') return 'unanswered'
        throw error
      }
    },

    /** The display name of an account; undefined when it does not come in time: a prompt is not delayed for it. */
    async displayName(accountId: string): Promise<string | undefined> {
      const known = names.get(accountId)
      if (known !== undefined) return known
      const answer = await call<GetAccountResponse>(nameMs, (metadata, callOptions, done) =>
        client.getAccount({ accountId }, metadata, callOptions, done),
      ).catch(() => undefined)
      const name = answer?.account?.displayName
      if (name !== undefined) names.set(accountId, name)
      return name
    },

    /** Undefined when the endpoint was removed. Faults: unavailable. */
    async findWebhookEndpoint(endpointId: string): Promise<WebhookEndpoint | undefined> {
      const { endpoint } = await call<ReadWebhookEndpointResponse>(
        endpointMs,
        (metadata, callOptions, done) =>
          client.readWebhookEndpoint({ endpointId }, metadata, callOptions, done),
      )
      return endpoint
    },

    close() {
      client.close()
    },
  }

  async function resolve(handle: string): Promise<Payee | undefined> {
    const { resolved } = await call<ResolveHandleResponse>(
      resolveMs,
      (metadata, callOptions, done) =>
        client.resolveHandle({ handle }, metadata, callOptions, done),
    )
    const account = resolved?.account
    if (account?.homeCountry !== options.country || !resolved?.acceptsPayments) return undefined
    return { accountId: account.accountId, handle: resolved.handle }
  }
}
