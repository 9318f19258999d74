import type { Minor } from '@malipo/kernel/money'
import type { AskedPayment, Deliver } from '../rules/rail'
import { openRecent, type Recent } from '../../sessions/rules/recent'
import type { Tokens } from '../rules/tokens'
import type { World } from '../../sessions/rules/world'
import { type Market, markets, type AirtelMoneySettings } from './settings'
import type { Result } from './results'
import type { SigningKeys } from './signing-keys'

/** What the operations of this rail share. */
export interface AirtelMoney extends AirtelMoneyWiring {
  readonly settings: AirtelMoneySettings
  /** By the merchant's transaction id. */
  readonly payments: Recent<Payment>
  /** The successful payments, by `airtel_money_id`. */
  readonly byReceipt: Recent<Payment>
  /** The merchant's payouts, by the merchant's transaction id. */
  readonly payouts: Recent<Payout>
  readonly balances: Map<Market['country'], Minor>
  readonly counts: { tokens: number; receipts: number }
}

export interface Payment extends AskedPayment {
  readonly id: string
  readonly market: Market
  /** Undefined while the outcome is open. */
  result: Result | undefined
  receipt: string | undefined
  refunded: boolean
}

/** Money that the merchant sent to a wallet, at once and for good. */
export interface Payout {
  readonly id: string
  readonly market: Market
  readonly msisdn: string
  readonly receipt: string
}

/** A few workers need no more tokens than this in three minutes, the life of a token. */
export const tokensKept = 200

export interface AirtelMoneyWiring {
  readonly world: World
  readonly deliver: Deliver
  readonly tokens: Tokens<true>
  readonly keys: SigningKeys
}

export function openAirtelMoney(
  settings: AirtelMoneySettings,
  wiring: AirtelMoneyWiring,
): AirtelMoney {
  const { world } = wiring
  return {
    ...wiring,
    settings,
    payments: openRecent(world.capacity.requests),
    byReceipt: openRecent(world.capacity.requests),
    payouts: openRecent(world.capacity.requests),
    balances: new Map(markets.map(({ country }) => [country, 0n])),
    counts: { tokens: 0, receipts: 0 },
  }
}

export function changeBalance({ balances }: AirtelMoney, { country }: Market, minor: Minor): void {
  balances.set(country, (balances.get(country) ?? 0n) + minor)
}
