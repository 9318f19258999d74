import type {
  ListedCheckout,
  MerchantCheckout,
  PayerCheckout,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { type Currency, type Minor, wholeMajorUp } from '@malipo/kernel/money'
import type { Attempt, Payment } from '../intents/rules/attempt'
import { cardTerms } from '../cards/rules/decide-start-card'
import type { Checkout, Order } from './rules/checkout'
import type { ListedCheckout as ListedRow } from './store/checkout-lists'

/** A checkout as the API shows it to the merchant: the order and its result. */
export function presentToMerchant(
  checkout: Order & Pick<Checkout, 'status' | 'payment'>,
  currency: Currency,
): MerchantCheckout {
  return {
    checkoutId: checkout.checkoutId,
    status: wireOf('CHECKOUT_STATUS', checkout.status),
    amount: { currency, minor: checkout.amountMinor },
    reference: checkout.reference,
    description: checkout.description,
    returnUrl: checkout.returnUrl,
    expiresAt: checkout.expiresAt,
    createdAt: checkout.createdAt,
    payment: checkout.payment && presentPayment(checkout.payment),
  }
}

/** A checkout as the hub lists it: also when the money came, whether any is held, and what was reported about it. */
export function presentListed(
  checkout: Order & Pick<ListedRow, 'status' | 'payment' | Listed>,
  currency: Currency,
): ListedCheckout {
  const { completedAt, isMoneyHeld: moneyHeld, isFoundUnpaid } = checkout
  const mayHavePaid =
    checkout.status !== 'completed' && (checkout.mayHavePaid || checkout.isDenialRecent)
  const foundUnpaid = (isFoundUnpaid && !mayHavePaid) || undefined
  const reportedAt =
    completedAt === undefined ? (checkout.reportedAt ?? checkout.payBillReportedAt) : undefined
  return {
    checkout: presentToMerchant(checkout, currency),
    ...{ completedAt, moneyHeld, foundUnpaid, reportedAt, mayHavePaid },
  }
}

type Listed =
  | 'completedAt'
  | 'isDenialRecent'
  | 'isFoundUnpaid'
  | 'mayHavePaid'
  | 'payBillReportedAt'
  | 'isMoneyHeld'
  | 'reportedAt'

function presentPayment(payment: Payment): MerchantCheckout['payment'] {
  return {
    intentId: payment.intentId,
    status: wireOf('INTENT_STATUS', payment.status),
    amountSettledMinor: payment.settledMinor,
    providerReceipt: payment.receipt,
    phone: payment.phone,
    rail: wireOf('RAIL', payment.rail),
    cause: wireOf('FAILURE_CAUSE', payment.cause),
  }
}

export interface PayerTerms {
  readonly currency: Currency
  readonly cardFeeBps: bigint | undefined
  /** True where payers are asked for whole shillings only. */
  readonly wholeMajorsOnly: boolean
}

export function presentToPayer(checkout: Checkout, terms: PayerTerms): PayerCheckout {
  const { currency, cardFeeBps } = terms
  const isCardOn = checkout.cardEnabled && checkout.status === 'open'
  return {
    checkoutId: checkout.checkoutId,
    status: wireOf('CHECKOUT_STATUS', checkout.status),
    amount: { currency, minor: checkout.amountMinor },
    description: checkout.description,
    phone: checkout.phone,
    intentId: checkout.watchedIntentId,
    returnUrl: checkout.returnUrl,
    reference: checkout.reference,
    card: isCardOn ? cardTerms(checkout.amountMinor, cardFeeBps) : undefined,
    expiresAt: checkout.expiresAt,
    accountId: checkout.accountId,
    completedAt: checkout.completedAt,
    attempt: checkout.attempt && presentAttempt(checkout.attempt),
    failedAttempts: checkout.failedAttempts,
    mayHavePaid: checkout.mayHavePaid,
    foundUnpaid: checkout.isFoundUnpaid,
    deniedRail: wireOf('RAIL', checkout.deniedRail),
    payBillReportedAt: checkout.status === 'completed' ? undefined : checkout.payBillReportedAt,
    // An expired checkout still shows its number, because a payment of the exact amount completes it.
    payBillAccountNumber: checkout.status === 'completed' ? undefined : checkout.payBillNumber,
    askedMinor: askedMinor(checkout, terms),
  }
}

/** The amount that the payer is asked for. For a completed checkout, it is the amount that came. */
function askedMinor(
  { status, payment, amountMinor }: Checkout,
  { wholeMajorsOnly }: PayerTerms,
): Minor {
  const settledMinor = status === 'completed' ? payment?.settledMinor : undefined
  return settledMinor ?? (wholeMajorsOnly ? wholeMajorUp(amountMinor) : amountMinor)
}

export function presentAttempt(attempt: Attempt): NonNullable<PayerCheckout['attempt']> {
  return {
    intentId: attempt.intentId,
    status: wireOf('INTENT_STATUS', attempt.status),
    rail: wireOf('RAIL', attempt.rail),
    phone: attempt.phone,
    cause: wireOf('FAILURE_CAUSE', attempt.cause),
    startedAt: attempt.startedAt,
    attemptReference: attempt.prompt?.attemptReference,
    queued: attempt.prompt?.isQueued ?? false,
    sentAt: attempt.prompt?.sentAt,
    deadlineAt: attempt.prompt?.deadlineAt,
    unanswered: attempt.prompt?.isUnanswered ?? false,
    reportedAt: attempt.reportedAt,
  }
}
