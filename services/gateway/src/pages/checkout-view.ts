import type { MobileRail } from '@malipo/kernel/countries'
import type { PayerCheckout } from '../clients/checkout'
import type { PayBillNumbers } from '../http/read-checkout'
import type { Times } from './show-values'
import type { Texts } from './texts/texts'

/** All that a screen is made of. */
export interface CheckoutView {
  readonly checkout: PayerCheckout
  /** How the account calls itself, or what we call it while nobody can say. */
  readonly payee: string
  /** The amount as people read it. */
  readonly amount: string
  readonly texts: Texts
  readonly times: Times
  /** The mobile-money rail that a new attempt takes, as payers call it. */
  readonly rail: string
  /** What the payer may choose between; empty where there is no choice. */
  readonly railChoices: readonly MobileRail[]
  /** What the payer types to pay from the menu instead; undefined where there is no menu. */
  readonly payBill: PayBillNumbers | undefined
  readonly form: PayForm
}

export interface PayForm {
  /** The Idempotency-Key of the next attempt, made with the page: sent twice, it makes one prompt. */
  readonly key: string
  readonly phone: string
  /** The rail chosen by hand. */
  readonly rail?: MobileRail | undefined
  readonly error?: string | undefined
}
