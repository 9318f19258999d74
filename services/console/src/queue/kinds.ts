import type { Country } from '@malipo/kernel/countries'
import type { QueueItem, QueueKind } from '@malipo/ledger-client/console'

interface Kind {
  readonly text: string
  /** Where an operator looks into it, and acts. */
  readonly hrefOf: (country: Country, item: QueueItem) => string | undefined
}

const ofReceipt = (country: Country, { subject, id }: QueueItem) =>
  `/receipts/${country}/${encodeURIComponent(subject ?? id)}`
const ofReport = (country: Country, { subject, id }: QueueItem) =>
  `/reports/${country}/${encodeURIComponent(subject ?? id)}`
const ofPayment = (country: Country, { checkoutId, intentId }: QueueItem) => {
  const id = checkoutId ?? intentId
  return id === undefined ? undefined : `/payments/${country}/${id}`
}
const ofDay = (country: Country, { id }: QueueItem) =>
  `/reconciliation/${country}/${id.replace(' ', '/')}`

/** Every kind of the ledger's queue: a new one does not compile until it has a name and a screen. */
export const kinds: Readonly<Record<QueueKind, Kind>> = {
  QUEUE_KIND_UNSPECIFIED: { text: 'Unknown', hrefOf: () => undefined },
  QUEUE_KIND_SUSPENSE: { text: 'Held money', hrefOf: ofReceipt },
  QUEUE_KIND_PLACEMENT: { text: 'Placement to approve', hrefOf: ofReceipt },
  QUEUE_KIND_REFUND: { text: 'Refund to approve', hrefOf: ofReceipt },
  QUEUE_KIND_REFUND_CLOSING: { text: 'Refund closing to approve', hrefOf: ofReceipt },
  QUEUE_KIND_REPORT_CLOSING: { text: 'Report closing to approve', hrefOf: ofReport },
  QUEUE_KIND_FREEZING: { text: 'Wallet freezing to approve', hrefOf: () => '/wallets' },
  QUEUE_KIND_ENROLLMENT: { text: 'Enrolment to approve', hrefOf: () => '/operators' },
  QUEUE_KIND_RETIREMENT: { text: 'Retirement to approve', hrefOf: () => '/operators' },
  QUEUE_KIND_REFUND_UNDECIDED: { text: 'Undecided refund', hrefOf: ofReceipt },
  QUEUE_KIND_PAYMENT_REPORT: { text: 'Payment report without money', hrefOf: ofReport },
  QUEUE_KIND_STUCK_INTENT: { text: 'Stuck intent', hrefOf: ofPayment },
  QUEUE_KIND_PARKED_MESSAGE: { text: 'Parked provider message', hrefOf: ofPayment },
  QUEUE_KIND_DIFFERENCE: { text: 'Reconciliation difference', hrefOf: ofDay },
}
