import type { Minor } from '@malipo/kernel/money'
import { openRecent, type Recent } from '../../sessions/rules/recent'
import type { AskedPayment, Deliver, MenuPayment } from '../rules/rail'
import type { Tokens } from '../rules/tokens'
import type { World } from '../../sessions/rules/world'
import type { OperatorKey } from './operator-key'
import type { Result } from './result-codes'
import type { MpesaSettings } from './settings'

/** What the operations of this rail share. */
export interface Mpesa extends MpesaWiring {
  readonly settings: MpesaSettings
  /** By CheckoutRequestID: a query for a forgotten one is answered as unknown. */
  readonly pushes: Recent<Push>
  /** The balance of the short code's utility account. */
  readonly balance: { minor: Minor }
  /** The OriginatorConversationIDs that merchants have used. */
  readonly ordersSeen: Recent<true>
  readonly registeredForPull: Set<string>
  /** The payments that QR codes stand for, by picture. */
  readonly codes: Recent<MenuPayment>
  /** Virtual instant of the last payment of an amount by a phone to a business. */
  readonly lastPaidAtMs: Recent<number>
  readonly counts: { pushes: number; receipts: number; requests: number; tokens: number }
}

/**
 * The merchant's addresses for payments from the menu, by the number that is paid. A reset keeps them, because
 * Safaricom never forgets them. A session without a registration uses the addresses of the home session.
 */
export type Registration = Pick<Map<string, RegisteredUrls>, 'get' | 'set'>

export interface RegisteredUrls {
  readonly validationUrl: string
  readonly confirmationUrl: string
  /** What happens to a payment without an answer in time. */
  readonly responseType: 'Completed' | 'Cancelled'
  readonly version: 'v1' | 'v2'
}

export interface Push extends AskedPayment {
  readonly checkoutRequestId: string
  readonly merchantRequestId: string
  readonly callbackUrl: string
  /** Undefined while the outcome is open. */
  result: Result | undefined
  queries: number
}

/** A short code begins with KES 1,000,000, so that it can pay out before anyone has paid it. */
const openingBalanceMinor = 100_000_000n

/** The same amount from one phone to one business waits two minutes after a success; a failure blocks nothing. */
export const repeatMs = 120_000
/**
 * The portal says that a new token ends the previous one, but no report shows that, and two workers would end each
 * other's tokens for ever. So older tokens stay valid, as many as a few workers need; a rule can refuse them.
 */
export const tokensKept = 50

export interface MpesaWiring {
  readonly world: World
  readonly deliver: Deliver
  readonly registration: Registration
  readonly tokens: Tokens<true>
  readonly operatorKey: OperatorKey
}

export function openMpesa(settings: MpesaSettings, wiring: MpesaWiring): Mpesa {
  const { world } = wiring
  return {
    ...wiring,
    settings,
    pushes: openRecent(world.capacity.requests),
    balance: { minor: openingBalanceMinor },
    ordersSeen: openRecent(world.capacity.requests),
    registeredForPull: new Set(),
    codes: openRecent(world.capacity.requests),
    // As many keys as requests, so that memory fills early and stays level: with 256 MB, two minutes of 180 a second.
    lastPaidAtMs: openRecent(world.capacity.requests, {
      ms: repeatMs,
      now: () => world.time.now(),
    }),
    counts: { pushes: 0, receipts: 0, requests: 0, tokens: 0 },
  }
}
