import type {
  CountPaymentsResponse,
  IntentStatus as WireIntentStatus,
  ListedCheckout,
  MerchantCheckout,
  ReadTimelineResponse,
  TimelineAttempt,
  Wallet as WireWallet,
  WalletEntry as WireWalletEntry,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import type { IntentStatus } from '@malipo/interface/fields'
import type {
  Attempt,
  Checkout,
  Payment,
  PaymentCounts,
  Timeline,
  Wallet,
  WalletEntry,
} from './checkout'
import { present } from './present'

export function checkoutOf({
  checkout: wire,
  moneyHeld,
  foundUnpaid,
  ...found
}: ListedCheckout): Checkout {
  const { amount, status, createdAt, expiresAt, payment, ...own } = present(wire, 'checkout')
  const { minor, currency } = present(amount, 'amount')
  return {
    ...own,
    ...found,
    status: present(wordOf('CHECKOUT_STATUS', status), 'status'),
    amountMinor: minor,
    currency,
    createdAt: present(createdAt, 'created_at'),
    expiresAt: present(expiresAt, 'expires_at'),
    isMoneyHeld: moneyHeld,
    isFoundUnpaid: foundUnpaid ?? false,
    payment: payment && paymentOf(payment),
  }
}

export function timelineOf(wire: ReadTimelineResponse): Timeline {
  return {
    checkout: checkoutOf(present(wire.checkout, 'checkout')),
    payBillAccountNumber: wire.payBillAccountNumber,
    attempts: wire.attempts.map(attemptOf),
  }
}

export function walletOf(wire: WireWallet): Wallet {
  const { minor, currency } = present(wire.balance, 'balance')
  const openedAt = present(wire.openedAt, 'opened_at')
  const { frozenAt, unconfirmedMinor } = wire
  return { balanceMinor: minor, currency, openedAt, frozenAt, unconfirmedMinor }
}

export function walletEntryOf(wire: WireWalletEntry): WalletEntry {
  const move = present(wordOf('WALLET_MOVE', wire.move), 'move')
  return { ...wire, at: present(wire.at, 'at'), move }
}

export function paymentCountsOf({ counts, ...rest }: CountPaymentsResponse): PaymentCounts {
  return {
    ...rest,
    counts: counts.map(({ rail, cause, paidMinor, ...count }) => ({
      ...count,
      paidMinor,
      rail: present(wordOf('RAIL', rail), 'rail'),
      cause: wordOf('FAILURE_CAUSE', cause),
    })),
  }
}

function attemptOf(wire: TimelineAttempt): Attempt {
  return {
    ...paymentOf(wire),
    startedAt: present(wire.startedAt, 'started_at'),
    heldBecause: wire.heldBecause,
    frozenAt: wire.frozenAt,
    returnedAt: wire.returnedAt,
    steps: wire.steps.map(({ status, at }) => ({
      status: statusOf(status),
      at: present(at, 'at'),
    })),
  }
}

type WirePayment = NonNullable<MerchantCheckout['payment']>

function paymentOf(wire: WirePayment): Payment {
  const { intentId, status, amountSettledMinor: settledMinor, providerReceipt, phone } = wire
  return {
    intentId,
    status: statusOf(status),
    settledMinor,
    receipt: providerReceipt,
    phone,
    rail: present(wordOf('RAIL', wire.rail), 'rail'),
    cause: wordOf('FAILURE_CAUSE', wire.cause),
  }
}

function statusOf(wire: WireIntentStatus): IntentStatus {
  return present(wordOf('INTENT_STATUS', wire), 'status')
}
