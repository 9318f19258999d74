import { Prisma } from '../generated/client'

/** The facts of the payment report `r`, each by its name in `ReportFacts`. */
const signed = {
  hasReceipt: `r.receipt <> ''`,
  isReceiptPosted: `EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt)`,
  isIntentSettled: `EXISTS (SELECT FROM intents s WHERE s.id = r.intent_id AND s.settled_at IS NOT NULL)`,
  isReceiptClosed: closed(`r.provider || ':' || r.receipt`),
  isIntentClosed: closed('r.intent_id'),
} as const

/** The facts of the Pay Bill report `r`, which has a receipt and is about no intent. */
const payBill: Record<keyof typeof signed, string> = {
  hasReceipt: 'true',
  isReceiptPosted: `EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:mpesa:' || r.receipt)`,
  isIntentSettled: 'false',
  isReceiptClosed: closed(`'mpesa:' || r.receipt`),
  isIntentClosed: 'false',
}

function closed(subject: string): string {
  return `EXISTS (SELECT FROM report_closings c WHERE c.subject = ${subject} AND c.status = 'closed')`
}

function columns(facts: Record<string, string>): Prisma.Sql {
  return Prisma.raw(
    Object.entries(facts)
      .map(([name, fact]) => `${fact} AS "${name}"`)
      .join(', '),
  )
}

export const signedFacts = columns(signed)
export const payBillFacts = columns(payBill)
export const factNames = Prisma.raw(
  Object.keys(signed)
    .map((name) => `"${name}"`)
    .join(', '),
)
