import type { Minor } from '@malipo/kernel/money'
import type { AskedPayment, Deliver } from '../rules/rail'
import { openRecent, type Recent } from '../../sessions/rules/recent'
import type { Tokens } from '../rules/tokens'
import type { World } from '../../sessions/rules/world'
import type { Reason } from './reasons'
import type { MtnMomoSettings, NewPlatform, TargetEnvironment } from './settings'

/** What the operations of this rail share. */
export interface MtnMomo extends Omit<MtnMomoWiring, 'newTokens'> {
  readonly settings: MtnMomoSettings
  readonly users: Map<string, ApiUser>
  /** By X-Reference-Id. */
  readonly requests: Recent<PayRequest>
  /** The merchant's transfers, by product and X-Reference-Id. */
  readonly transfers: Recent<PayRequest>
  /** The merchant's balances, by currency. */
  readonly balances: Map<string, Minor>
  /** Virtual instants of the last status calls, the oldest first. */
  readonly statusCalls: number[]
  readonly counts: { tokens: number; receipts: number; keys: number }
  /** True on the new platform. */
  readonly isEnvironmentNeededForTokens: boolean
}

export interface ApiUser {
  readonly id: string
  readonly callbackHost: string
  readonly targetEnvironment: TargetEnvironment
  /** Undefined until one is made. */
  apiKey: string | undefined
}

/** Finds a uuid also in capitals. The ids of the new platform are no uuids, and are found only as written. */
export function userOf({ users }: MtnMomo, id: string): ApiUser | undefined {
  return users.get(id) ?? users.get(id.toLowerCase())
}

/** The three products of MTN's API. A token is valid for one of them. */
export const products = ['collection', 'disbursement', 'remittance'] as const
export type Product = (typeof products)[number]

export interface TokenHolder {
  readonly user: ApiUser
  readonly product: Product
  /** The key that the token was issued for: a new key of the user ends the tokens of the previous one. */
  readonly apiKey: string
}

/** One request to pay, or to transfer, that was accepted. */
export interface PayRequest extends AskedPayment {
  readonly referenceId: string
  readonly user: ApiUser
  /** Whether the other party pays the merchant, or is paid by it. */
  readonly role: 'payer' | 'payee'
  readonly party: Party
  readonly currency: string
  readonly payerMessage: string
  readonly payeeNote: string
  /** Undefined: no callback is sent. */
  readonly callbackUrl: string | undefined
  state: PayState
}

export interface Party {
  readonly partyIdType: 'MSISDN' | 'EMAIL'
  readonly partyId: string
}

export type PayState =
  | { readonly status: 'CREATED' | 'PENDING' }
  | { readonly status: 'SUCCESSFUL'; readonly receipt: string }
  | { readonly status: 'FAILED'; readonly reason: Reason }

/** A few workers need no more tokens: MTN asks its partners not to make one for each payment. */
export const tokensKept = 200

export interface MtnMomoWiring {
  readonly world: World
  readonly deliver: Deliver
  readonly tokens: Tokens<TokenHolder>
  /** The access tokens of the new platform. */
  readonly newTokens: Tokens<TokenHolder>
}

/** A merchant begins with a million, so that it can send before anyone has paid it. */
const openingBalanceMinor = 100_000_000n

export function balanceOf({ balances }: MtnMomo, currency: string): Minor {
  return balances.get(currency) ?? openingBalanceMinor
}

export function openMtnMomo(settings: MtnMomoSettings, wiring: MtnMomoWiring): MtnMomo {
  const { world, deliver, tokens } = wiring
  const { apiUser: id, apiKey, callbackHost, targetEnvironment } = settings
  const user: ApiUser = { id, apiKey, callbackHost, targetEnvironment }
  return {
    settings,
    world,
    deliver,
    users: new Map([[id, user]]),
    tokens,
    requests: openRecent(world.capacity.requests),
    transfers: openRecent(world.capacity.requests),
    balances: new Map(),
    statusCalls: [],
    counts: { tokens: 0, receipts: 0, keys: 0 },
    isEnvironmentNeededForTokens: false,
  }
}

/** The new platform of the same MTN. It shares phones, book, balances and the count of receipts with the old one. */
export function openNewPlatform(
  mtn: MtnMomo,
  { userId, credentialToken }: NewPlatform,
  tokens: Tokens<TokenHolder>,
): MtnMomo {
  const { callbackHost, targetEnvironment } = mtn.settings
  const user: ApiUser = { id: userId, apiKey: credentialToken, callbackHost, targetEnvironment }
  return {
    ...mtn,
    users: new Map([[userId, user]]),
    tokens,
    requests: openRecent(mtn.world.capacity.requests),
    transfers: openRecent(mtn.world.capacity.requests),
    statusCalls: [],
    isEnvironmentNeededForTokens: true,
  }
}
