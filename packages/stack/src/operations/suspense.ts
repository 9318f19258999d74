import {
  type Placement,
  QueueKind,
  type Refund,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { majorText } from '@malipo/kernel/money'
import type { Order } from './acts'
import { inEveryLedger, type Listing, listingOf } from './every-ledger'
import { type CellConnection, type Connections, ledgerOf } from './ledgers'
import { ageText, textTable } from './text-table'

const listedMax = 250

/** The maximum of listed refunds that failed, for each ledger. */
const failedMax = 50

/** Lists the money in suspense, and the refunds that failed, the oldest first, with its age at `nowMs`. */
export async function listSuspense(connections: Connections, nowMs: number): Promise<Listing> {
  const { answers, failures } = await inEveryLedger(connections, (one) => listOf(one, nowMs))
  const lists = answers.map(([, list]) => list)
  const head = ['country', 'receipt', 'reason', 'amount', 'age', 'checkout', 'asked for']
  const more = lists.flatMap(({ counts }) => counts)
  return listingOf([head, ...lists.flatMap(({ rows }) => rows)], more, failures)
}

async function listOf({ place, reads }: CellConnection, nowMs: number) {
  const { items, total, totalMinor } = await reads.listSuspense({ limit: listedMax })
  const failed = await listFailed({ place, reads }, nowMs)
  const rows = items.map((item) => [
    place,
    item.subject,
    item.reason,
    `${item.amount?.currency ?? ''} ${majorText(item.amount?.minor ?? 0n)}`,
    ageText(nowMs - (item.openedAt?.getTime() ?? nowMs)),
    item.checkoutId ?? '',
    [item.refundId, item.refundSentBy && senderWords[item.refundSentBy], item.placementId]
      .filter(Boolean)
      .join(' '),
  ])
  const currency = items[0]?.amount?.currency ?? ''
  const count = `${place}: ${String(total)} in all, ${currency} ${majorText(totalMinor)}; the oldest ${String(items.length)} are listed\n`
  return {
    rows: [...rows, ...failed.rows],
    counts: [...(total > items.length ? [count] : []), ...failed.counts],
  }
}

/** Their money may lie in a wallet, so they are no items of suspense. */
async function listFailed(
  { place, reads }: Pick<CellConnection, 'place' | 'reads'>,
  nowMs: number,
) {
  const { items, totals } = await reads.listQueue({ limit: failedMax })
  const failed = items.filter(({ kind }) => kind === QueueKind.REFUND_FAILED)
  const total = totals.find(({ kind }) => kind === QueueKind.REFUND_FAILED)?.count ?? 0
  const rows = failed.map(({ id, subject = '', amount, since }) => [
    ...[place, subject, 'refund failed'],
    `${amount?.currency ?? ''} ${majorText(amount?.minor ?? 0n)}`,
    ageText(nowMs - (since?.getTime() ?? nowMs)),
    ...['', id],
  ])
  const advice = `${place}: a refund that failed: ask for it again, or if it is not to go back ask for it and withdraw that\n`
  const count = `${place}: ${String(total)} refunds failed in all; the oldest ${String(failed.length)} are listed\n`
  const isCut = total > failed.length
  return { rows, counts: [...(total > 0 ? [advice] : []), ...(isCut ? [count] : [])] }
}

/** Shows all that happened to one receipt. If the journal has no such receipt, it throws with where else to look. */
export async function showReceipt(
  connections: Connections,
  { subject, country }: Pick<Order, 'subject' | 'country'>,
): Promise<string> {
  const ledger = ledgerOf(connections, subject, country)
  const story = await ledger.reads.readReceipt({ subject }).catch((error: unknown) => {
    const isUnknown = error instanceof Fault && error.facts['field'] === 'subject'
    if (isUnknown && subject.includes(':')) throw new Error(notPosted(subject, ledger.country))
    throw error
  })
  const at = (instant: Date | undefined) => instant?.toISOString() ?? ''
  const held = story.holder ?? 'returned to the payer'
  return textTable([
    ['receipt', subject, majorText(story.amount?.minor ?? 0n), held],
    ...story.transfers.map((one) => [
      at(one.at),
      one.eventKey,
      majorText(one.minor),
      `${one.debit} -> ${one.credit}`,
    ]),
    ...story.intents.map((one) => ['payment', one.intentId, one.status, one.disposition]),
    ...story.refunds.map((one) => [
      at(one.askedAt),
      one.refundId,
      one.status,
      [
        `${senderWords[one.sentBy]},`,
        `asked by ${one.askedBy}`,
        one.decidedBy ?? '',
        one.providerCode ?? '',
        ...closing(one),
      ].join(' '),
    ]),
    ...story.placements.map((one) => [
      at(one.askedAt),
      one.placementId,
      one.status,
      placementWords(one),
    ]),
    ...story.actions.map((one) => [at(one.at), one.did, one.operator, one.note]),
  ])
}

function notPosted(subject: string, country: string): string {
  return [
    `The journal of ${country} has no receipt ${subject}. What was only reported: npm run operate -- reports list.`,
    'What the provider has and we have not: npm run operate -- reconcile --day DAY',
  ].join('\n')
}

function placementWords({ owner, askedBy, decidedBy = '' }: Placement): string {
  return `to ${owner?.value ?? ''} asked by ${askedBy} ${decidedBy}`.trimEnd()
}

const senderWords: Readonly<Record<RefundSender, string>> = {
  [RefundSender.UNSPECIFIED]: 'sender unknown',
  [RefundSender.US]: 'sent by us',
  [RefundSender.PROVIDER]: 'sent by the provider already',
}

/** How operators closed the refund, and whether the provider contradicts them. */
function closing({ closing: request, contradicted }: Refund): string[] {
  const end = request?.end.replace('REFUND_END_', '').toLowerCase()
  const who = request?.closedBy === undefined ? 'to be closed' : `closed by ${request.closedBy}`
  return [
    ...(end === undefined ? [] : [`${who} as ${end}`]),
    ...(contradicted ? ['THE PROVIDER SAYS OTHERWISE'] : []),
  ]
}
