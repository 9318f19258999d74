import type {
  Attempt as WireAttempt,
  Card,
  CreateCheckoutRequest,
  IntentStatus as WireIntentStatus,
  ListCheckoutsRequest,
  ListedCheckout as WireListedCheckout,
  MerchantCheckout as WireMerchantCheckout,
  PayerCheckout as WirePayerCheckout,
  Payment as WirePayment,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import { type Amount, amountOf, type Plain } from './amounts'
import type { LedgerConnection } from './connection'

export type { Card }

/** A checkout as its merchant's server reads it. */
export interface MerchantCheckout
  extends Plain<WireMerchantCheckout, 'status' | 'expiresAt' | 'createdAt' | 'payment'>, Amount {
  readonly status: CheckoutStatus
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly payment: Payment | undefined
}

export interface Payment extends Plain<
  WirePayment,
  'status' | 'amountSettledMinor' | 'providerReceipt' | 'rail' | 'cause'
> {
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly receipt: string | undefined
  readonly rail: Rail
  readonly cause: FailureCause | undefined
}

/** A checkout as its merchant sees it in the hub. */
export interface ListedCheckout
  extends MerchantCheckout, Plain<WireListedCheckout, 'checkout' | 'moneyHeld' | 'foundUnpaid'> {
  readonly isMoneyHeld: boolean
  readonly isFoundUnpaid: boolean
}

export interface PayerCheckout
  extends
    Plain<WirePayerCheckout, 'status' | 'expiresAt' | 'attempt' | 'foundUnpaid' | 'deniedRail'>,
    Amount {
  readonly status: CheckoutStatus
  readonly expiresAt: Date
  readonly attempt: Attempt | undefined
  readonly isFoundUnpaid: boolean
  readonly deniedRail: Rail | undefined
}

/** An intent, as its payer sees it. */
export interface Attempt extends Plain<
  WireAttempt,
  'status' | 'rail' | 'cause' | 'startedAt' | 'queued' | 'unanswered'
> {
  readonly status: IntentStatus
  readonly rail: Rail
  readonly cause: FailureCause | undefined
  readonly startedAt: Date
  readonly isQueued: boolean
  readonly isUnanswered: boolean
}

export interface CheckoutQuestion extends Readonly<
  Pick<ListCheckoutsRequest, 'limit' | 'beforeCheckoutId' | 'createdFrom' | 'createdUntil'>
> {
  readonly status?: CheckoutStatus | undefined
  readonly isPaidAfterExpiry: boolean
  readonly isMoneyHeld: boolean
  readonly search?: string | undefined
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

export function checkoutCalls({ reads, writes }: LedgerConnection) {
  return {
    async createCheckout(
      request: CreateCheckoutRequest,
    ): Promise<{ checkout: MerchantCheckout; isReplay: boolean }> {
      const { checkout, replayed: isReplay } = await writes.createCheckout(request)
      return { checkout: merchantCheckoutOf(checkout), isReplay }
    },

    async retrieveCheckout(accountId: string, checkoutId: string): Promise<MerchantCheckout> {
      return merchantCheckoutOf((await reads.retrieveCheckout({ accountId, checkoutId })).checkout)
    },

    async readCheckout(checkoutId: string): Promise<PayerCheckout> {
      return payerCheckoutOf((await reads.readCheckout({ checkoutId })).checkout)
    },

    async listCheckouts(
      accountId: string,
      question: CheckoutQuestion,
    ): Promise<Page<ListedCheckout>> {
      const { isPaidAfterExpiry: paidAfterExpiry, isMoneyHeld: moneyHeld, ...rest } = question
      const { search = '' } = question
      const status = wireOf('CHECKOUT_STATUS', question.status)
      const request = { accountId, ...rest, paidAfterExpiry, moneyHeld, search, status }
      const { checkouts, hasMore } = await reads.listCheckouts(request)
      return { rows: checkouts.map(listedCheckoutOf), hasMore }
    },
  }
}

function merchantCheckoutOf(wire: WireMerchantCheckout | undefined): MerchantCheckout {
  const { status, amount, expiresAt, createdAt, payment, ...plain } = present(wire, 'checkout')
  return {
    ...plain,
    ...amountOf(amount),
    status: present(wordOf('CHECKOUT_STATUS', status), 'status'),
    expiresAt: present(expiresAt, 'expires_at'),
    createdAt: present(createdAt, 'created_at'),
    payment: payment && paymentOf(payment),
  }
}

export function paymentOf(wire: WirePayment): Payment {
  const { status, amountSettledMinor, providerReceipt, rail, cause, ...plain } = wire
  return {
    ...plain,
    status: intentStatusOf(status),
    settledMinor: amountSettledMinor,
    receipt: providerReceipt,
    rail: present(wordOf('RAIL', rail), 'rail'),
    cause: wordOf('FAILURE_CAUSE', cause),
  }
}

export function listedCheckoutOf(wire: WireListedCheckout): ListedCheckout {
  const { checkout, moneyHeld, foundUnpaid, ...plain } = wire
  return {
    ...plain,
    ...merchantCheckoutOf(checkout),
    isMoneyHeld: moneyHeld,
    isFoundUnpaid: foundUnpaid ?? false,
  }
}

function payerCheckoutOf(wire: WirePayerCheckout | undefined): PayerCheckout {
  const checkout = present(wire, 'checkout')
  const { status, amount, expiresAt, attempt, foundUnpaid, deniedRail, ...plain } = checkout
  return {
    ...plain,
    ...amountOf(amount),
    status: present(wordOf('CHECKOUT_STATUS', status), 'status'),
    expiresAt: present(expiresAt, 'expires_at'),
    attempt: attempt && attemptOf(attempt),
    isFoundUnpaid: foundUnpaid,
    deniedRail: wordOf('RAIL', deniedRail),
  }
}

export function attemptOf(wire: WireAttempt): Attempt {
  const { status, rail, cause, startedAt, queued, unanswered, ...plain } = wire
  return {
    ...plain,
    status: intentStatusOf(status),
    rail: present(wordOf('RAIL', rail), 'rail'),
    cause: wordOf('FAILURE_CAUSE', cause),
    startedAt: present(startedAt, 'started_at'),
    isQueued: queued,
    isUnanswered: unanswered,
  }
}

export function intentStatusOf(wire: WireIntentStatus): IntentStatus {
  return present(wordOf('INTENT_STATUS', wire), 'status')
}
