import type { Minor } from '@malipo/kernel/money'
import type { Deliver } from '../../domain/rail'
import type { World } from '../../domain/world'
import type { Result } from './result-codes'
import type { MpesaSettings } from './settings'

/** What the operations of this rail share. */
export interface Mpesa {
  readonly settings: MpesaSettings
  readonly world: World
  readonly deliver: Deliver
  /** By CheckoutRequestID, the oldest first. */
  readonly pushes: Map<string, Push>
  /** Virtual instant at which a token ends, the oldest first. */
  readonly tokens: Map<string, number>
  readonly registeredForPull: Set<string>
  /** Virtual instant of the last payment of an amount by a phone to a business, the oldest first. */
  readonly recentPayments: Map<string, number>
  readonly counts: { pushes: number; receipts: number; requests: number; tokens: number }
}

/** One STK push that was accepted. */
export interface Push {
  readonly checkoutRequestId: string
  readonly merchantRequestId: string
  readonly msisdn: string
  readonly amountMinor: Minor
  readonly business: string
  readonly account: string
  readonly callbackUrl: string
  /** Undefined while nobody knows. */
  result: Result | undefined
  queries: number
  /** Who waits for the callback to have been delivered. */
  waiting: (() => void)[]
  calledBack: boolean
}

export function openMpesa(settings: MpesaSettings, world: World, deliver: Deliver): Mpesa {
  return {
    settings,
    world,
    deliver,
    pushes: new Map(),
    tokens: new Map(),
    registeredForPull: new Set(),
    recentPayments: new Map(),
    counts: { pushes: 0, receipts: 0, requests: 0, tokens: 0 },
  }
}

/** A hundred seconds of a thousand pushes: whoever asks about an older one is told that it does not exist. */
const pushesMax = 100_000

export function rememberPush(mpesa: Mpesa, push: Push): void {
  mpesa.pushes.set(push.checkoutRequestId, push)
  dropOldest(mpesa.pushes, pushesMax)
}

/** Maps keep the order of insertion, so the first key is the oldest. */
export function dropOldest(map: Map<string, unknown>, sizeMax: number): void {
  for (const key of map.keys()) {
    if (map.size <= sizeMax) return
    map.delete(key)
  }
}
