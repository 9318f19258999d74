import {
  type AskRefundClosingResponse,
  type AskRefundResponse,
  type DecideRefundClosingResponse,
  type DecideRefundResponse,
  type ListSuspenseResponse,
  type PlaceSuspenseResponse,
  type ReadReceiptResponse,
  type Refund,
  RefundEnd,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { majorText } from '@malipo/kernel/money'
import { type Doors, ledgerOf } from './ledgers'
import { textTable } from './text-table'

const deadlineMs = 10_000

/** What an operator said on the command line. */
export interface Order {
  readonly subject: string
  readonly country?: string | undefined
  readonly operator: string
  readonly note: string
}

/** What lies in suspense, the oldest first, with its age at `nowMs`. */
export async function listSuspense(doors: Doors, nowMs: number): Promise<string> {
  const lists = await Promise.all(
    doors.ledgers.map(async ({ country, client, call }) => {
      const list = await call<ListSuspenseResponse>(deadlineMs, (metadata, options, done) =>
        client.listSuspense({ limit: 250 }, metadata, options, done),
      )
      return list.items.map((item) => [
        country,
        item.subject,
        item.reason,
        `${item.amount?.currency ?? ''} ${majorText(item.amount?.minor ?? 0n)}`,
        age(nowMs - (item.openedAt?.getTime() ?? nowMs)),
        item.checkoutId ?? '',
        item.refundId ?? '',
      ])
    }),
  )
  const head = ['country', 'receipt', 'reason', 'amount', 'age', 'checkout', 'refund']
  return textTable([head, ...lists.flat()])
}

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 120) return `${String(minutes)} min`
  return minutes < 2_880
    ? `${String(Math.floor(minutes / 60))} h`
    : `${String(Math.floor(minutes / 1_440))} d`
}

/** All that became of one receipt. */
export async function showReceipt(
  doors: Doors,
  { subject, country }: Pick<Order, 'subject' | 'country'>,
): Promise<string> {
  const { client, call } = ledgerOf(doors, subject, country)
  const story = await call<ReadReceiptResponse>(deadlineMs, (metadata, options, done) =>
    client.readReceipt({ subject }, metadata, options, done),
  )
  const at = (instant: Date | undefined) => instant?.toISOString() ?? ''
  const held = story.holder ?? 'nobody: it went back'
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
        `asked by ${one.askedBy}`,
        one.decidedBy ?? '',
        one.providerCode ?? '',
        ...closing(one),
      ].join(' '),
    ]),
    ...story.actions.map((one) => [at(one.at), one.did, one.operator, one.note]),
  ])
}

/** How people closed it, and whether the provider says otherwise. */
function closing({ closing: asked, contradicted }: Refund): string[] {
  const end = asked?.end.replace('REFUND_END_', '').toLowerCase()
  const who = asked?.closedBy === undefined ? 'to be closed' : `closed by ${asked.closedBy}`
  return [
    ...(end === undefined ? [] : [`${who} as ${end}`]),
    ...(contradicted ? ['THE PROVIDER SAYS OTHERWISE'] : []),
  ]
}

/** Answers the word for what came of it, and whether it was done. */
export interface Done {
  readonly said: string
  readonly isDone: boolean
}

export async function applySuspense(
  doors: Doors,
  { country, ...order }: Order,
  owner: { readonly $case: 'checkoutId' | 'accountId'; readonly value: string },
): Promise<Done> {
  const { client, call } = ledgerOf(doors, order.subject, country)
  const { outcome, intentId } = await call<PlaceSuspenseResponse>(
    deadlineMs,
    (metadata, options, done) => client.placeSuspense({ ...order, owner }, metadata, options, done),
  )
  return said(outcome, 'PLACED', intentId)
}

/** `isDone`: it went back at the provider already, and has only to be written down. */
export async function askRefund(
  doors: Doors,
  { country, ...order }: Order,
  isDoneThere: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(doors, order.subject, country)
  const sentBy = isDoneThere ? RefundSender.PROVIDER : RefundSender.US
  const { outcome, refundId } = await call<AskRefundResponse>(
    deadlineMs,
    (metadata, options, done) => client.askRefund({ ...order, sentBy }, metadata, options, done),
  )
  return said(outcome, 'ASKED', refundId)
}

export async function decideRefund(
  doors: Doors,
  { country, subject: refundId, operator, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(doors, refundId, country)
  const { outcome } = await call<DecideRefundResponse>(deadlineMs, (metadata, options, done) =>
    client.decideRefund({ refundId, agreed, operator, note }, metadata, options, done),
  )
  const isDone = /_(?:APPROVED|PAID|WITHDRAWN)$/.test(outcome)
  return { ...said(outcome, ''), isDone }
}

/** Asks to write down how a refund ended that the provider never told the end of. */
export async function askRefundClosing(
  doors: Doors,
  { country, subject: refundId, operator, note }: Order,
  isPaid: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(doors, refundId, country)
  const end = isPaid ? RefundEnd.PAID : RefundEnd.FAILED
  const { outcome } = await call<AskRefundClosingResponse>(deadlineMs, (metadata, options, done) =>
    client.askRefundClosing({ refundId, end, operator, note }, metadata, options, done),
  )
  return said(outcome, 'ASKED')
}

export async function decideRefundClosing(
  doors: Doors,
  { country, subject: refundId, operator, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(doors, refundId, country)
  const { outcome } = await call<DecideRefundClosingResponse>(
    deadlineMs,
    (metadata, options, done) =>
      client.decideRefundClosing({ refundId, agreed, operator, note }, metadata, options, done),
  )
  return { ...said(outcome, ''), isDone: /_OUTCOME_(?:PAID|FAILED|WITHDRAWN)$/.test(outcome) }
}

/** `PLACE_OUTCOME_AMOUNT_DIFFERS` -> `amount differs`. */
function said(outcome: string, whenDone: string, what = ''): Done {
  const words = outcome.replace(/^.*_OUTCOME_/, '')
  return {
    said: `${words.toLowerCase().replaceAll('_', ' ')} ${what}`.trim(),
    isDone: words === whenDone,
  }
}
