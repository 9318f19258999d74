import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import {
  cardFeeAccount,
  providerOf,
  suspenseAccount,
  suspenseReasonOf,
  creditOf,
  debitOf,
  type CheckoutPaid,
  type Disposition,
  dispositionOf,
  type WalletState,
} from '../../journal/rules/postings'
import { intentInitialStates, intentMachine } from '../../intents/rules/intent'
import type { MatchedIntent, Instant, Intent, Transfer, Writes } from './state'

/** Money that has come, and everything that decides where it goes. */
export interface Received {
  readonly rail: Rail
  readonly receipt: string
  readonly minor: Minor
  /** The fee of a card payment, which its payer pays beside the amount. */
  readonly feeMinor: Minor
  readonly paidAt: Instant | null
  readonly disposition: Disposition
  /** The account whose wallet gets the money, or null where that is not known. */
  readonly accountId: string | null
  /** The money is posted already, and lies unmatched in suspense. */
  readonly isUnmatched?: boolean
  /** Of money from the menu: whether its payer typed an account number. */
  readonly hasAccountNumber?: boolean
  readonly now: Instant
}

type Settlement = Pick<Writes, 'transfers' | 'matched' | 'suspense'> & {
  readonly intent?: Intent
}

/** The event key of a receipt in the journal, which has each key once. */
export function receiptKey(rail: Rail, receipt: string): string {
  return `receipt:${providerOf[rail]}:${receipt}`
}

/** The event key by which the money of a receipt leaves suspense for its owner, once. */
export function placedKey(provider: string, receipt: string): string {
  return `placed:${provider}:${receipt}`
}

/** Where an amount goes: `isExact` is whether it is what was asked for. */
export function placeOf(known: {
  readonly isPaid: boolean
  readonly isExact: boolean
  readonly wallet: WalletState
}): Disposition {
  const paid: CheckoutPaid = known.isPaid ? 'paid' : 'unpaid'
  return dispositionOf[paid][known.isExact ? 'exact' : 'differs'][known.wallet]
}

/** Posts a receipt for the intent that asked for the money. A second receipt for the intent gets a new intent. */
export function settleIntent(intent: Intent, money: Received, newIntentId: string): Settlement {
  const { receipt, disposition, now } = money
  const settledMinor = money.minor - feeOf(money)
  const matched =
    intent.settledAt === null ? undefined : matchedIntentOf(intent, money, newIntentId)
  return {
    transfers: transfersOf(money),
    ...suspenseOf(money, matched?.id ?? intent.id),
    ...(matched === undefined
      ? {
          intent: {
            ...intent,
            status: intentMachine[intent.status].confirmed ?? intent.status,
            event: 'confirmed',
            ...{
              endedAt: now,
              deadlineAt: null,
              nextActionAt: null,
              queryAt: null,
            },
            ...{ receiptWanted: false, cause: null, providerCode: null },
            ...{ settledMinor, receipt, settledAt: now, disposition },
          },
        }
      : { matched }),
  }
}

/** Posts a receipt that no intent asked for. Money without an owner gets no intent. */
export function settleUnrequested(
  owner: Omit<Parameters<typeof matchedIntentOf>[0], 'rail'> | undefined,
  money: Received,
  newIntentId: string,
): Settlement {
  const matched = owner && matchedIntentOf({ ...owner, rail: money.rail }, money, newIntentId)
  return {
    transfers: transfersOf(money),
    ...suspenseOf(money, matched?.id ?? null),
    ...(matched && { matched }),
  }
}

type Owner = Pick<
  MatchedIntent,
  'checkoutId' | 'accountId' | 'handle' | 'rail' | 'phone' | 'amountMinor' | 'askedMinor'
>

function matchedIntentOf(owner: Owner, money: Received, id: string): MatchedIntent {
  const { checkoutId, accountId, handle, rail, phone, amountMinor, askedMinor } = owner
  const { receipt, disposition } = money
  return {
    ...{
      id,
      checkoutId,
      accountId,
      handle,
      rail,
      phone,
      amountMinor,
      askedMinor,
    },
    ...{ status: intentInitialStates.matched, event: 'matched' },
    ...{ settledMinor: money.minor - feeOf(money), receipt, disposition },
  }
}

/** The fee is ours once the merchant gets the amount. Money in suspense is held whole, as it may have to go back. */
function feeOf({ disposition, feeMinor }: Received): Minor {
  return disposition === 'merchant' ? feeMinor : 0n
}

function transfersOf(money: Received): Transfer[] {
  const { rail, receipt, minor, paidAt, disposition, accountId, isUnmatched, now } = money
  const fee = feeOf(money)
  const common =
    isUnmatched === true
      ? {
          eventKey: placedKey(providerOf[rail], receipt),
          debit: suspenseAccount('unmatched'),
          eventAt: now,
        }
      : { eventKey: receiptKey(rail, receipt), debit: debitOf(rail), eventAt: paidAt ?? now }
  const credit = creditOf(disposition, accountId ?? '')
  const amount = { ...common, leg: 0, credit, minor: minor - fee }
  return fee === 0n ? [amount] : [amount, { ...common, leg: 1, credit: cardFeeAccount, minor: fee }]
}

function suspenseOf(money: Received, intentId: string | null): Pick<Writes, 'suspense'> {
  const reason = suspenseReasonOf[money.disposition]
  if (reason === undefined) return {}
  const eventKey = receiptKey(money.rail, money.receipt)
  const { minor, hasAccountNumber } = money
  return { suspense: { eventKey, reason, intentId, minor, hasAccountNumber } }
}
