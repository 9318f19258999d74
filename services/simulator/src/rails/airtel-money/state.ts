import type { Minor } from '@malipo/kernel/money'
import type { Deliver } from '../../domain/rail'
import { openRecent, type Recent } from '../../domain/recent'
import type { World } from '../../domain/world'
import type { Result } from './results'
import type { AirtelMoneySettings } from './settings'

/** What the operations of this rail share. */
export interface AirtelMoney {
  readonly settings: AirtelMoneySettings
  readonly world: World
  readonly deliver: Deliver
  /** Virtual instant at which a token ends. */
  readonly tokens: Recent<number>
  /** By the merchant's transaction id. */
  readonly payments: Recent<Payment>
  readonly counts: { tokens: number; receipts: number }
}

/** One payment that was accepted. */
export interface Payment {
  readonly id: string
  /** Digits with the country code. */
  readonly msisdn: string
  readonly amountMinor: Minor
  readonly business: string
  /** The merchant's `reference`: what the payer is shown as the account. */
  readonly account: string
  /** Undefined while nobody knows. */
  result: Result | undefined
  receipt: string | undefined
  /** Who waits for the callback to have been delivered. */
  waiting: (() => void)[]
  calledBack: boolean
}

/** More than a hundred seconds of a thousand payments: whoever asks about an older one is told that there is none. */
const paymentsKept = 120_000
/** As many as a few workers need in three minutes. */
const tokensKept = 200

export function openAirtelMoney(
  settings: AirtelMoneySettings,
  world: World,
  deliver: Deliver,
): AirtelMoney {
  return {
    settings,
    world,
    deliver,
    tokens: openRecent(tokensKept),
    payments: openRecent(paymentsKept),
    counts: { tokens: 0, receipts: 0 },
  }
}
