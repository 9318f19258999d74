import type { Pool } from 'pg'
import type { RefundTables } from '../../simulation/refunds/refund-tables.harness'
import { micro } from '../../simulation/tables.harness'
import { micros } from '../../../database/transaction'
import { amina, brian } from '../../../operators/operators.harness'
import { lineOf } from '../calls.harness'
import { beginning } from '../replay.harness'
import { type Rows, sorted } from '../tables.harness'
import type { RefundPlayer } from './refund-player.harness'

type Cell = string | number | boolean | bigint | null
type Row = Readonly<Record<string, Cell>>

/** Returns the rows that a world of refunds must have left in the database, according to its simulated ledger. */
export function expectedRefundRows({ world, receipt, subject }: RefundPlayer): Rows {
  const { ledger } = world
  const { accountId } = receipt
  const nameOf = (text: string) =>
    text
      .replace(/^(wallet|receivable):m0$/, `$1:${accountId}`)
      .replace(/^spent$/, `spent:${receipt.receipt}`)
      .replace(/:R0$/, `:${receipt.receipt}`)
  return sorted({
    ...rowsOfRefunds(ledger),
    transfers: ledger.transfers.map(({ eventKey, leg, debit, credit, minor, eventAt }) =>
      lineOf({
        ...{ eventKey: nameOf(eventKey), leg, debit: nameOf(debit), credit: nameOf(credit) },
        ...{ minor, eventAt },
      }),
    ),
    intents: ledger.intents.map(({ status, event, disposition, settledMinor, endedAt }) =>
      lineOf({ status, event, disposition, settledMinor, endedAt }),
    ),
    steps: ledger.steps.map(({ from, to, at }) => lineOf({ from, to, at: at * micro })),
    events: ledger.events.map(({ type }) => lineOf({ type, deliveries: 1 })),
    actions: ledger.actions.map(({ operator, did, note, at }) =>
      lineOf({ operator, did, subject, note, at: at * micro }),
    ),
  })
}

function rowsOfRefunds({ refunds, askedAt, messages }: RefundTables): Rows {
  return {
    refunds: refunds.map(({ id, provider, minor, sentBy, askedBy, ...course }, number) =>
      lineOf({
        ...{ id: +id, provider, minor, sentBy, askedBy, askedAt: (askedAt[number] ?? 0) * micro },
        ...{ status: course.status, decidedBy: course.decidedBy, decidedAt: course.decidedAt },
        ...{ submittedAt: course.submittedAt, providerRequestId: course.providerRequestId },
        ...{ providerCode: course.providerCode, endedAt: course.endedAt },
        ...{ nextActionAt: course.nextActionAt, closing: course.closing },
        ...{ closingAskedBy: course.closingAskedBy, closedBy: course.closedBy },
      }),
    ),
    messages: messages.map(({ id, incoming, kind, ...message }) =>
      lineOf({
        ...{ id, refund: incoming.refundId, kind, isSourceKnown: incoming.isSourceKnown },
        ...{ body: incoming.body, receivedAt: message.receivedAt * micro },
        ...{ deliveries: message.deliveries, claims: 0 },
        nextActionAt: message.nextActionAt === null ? null : message.nextActionAt * micro,
        ...{ fact: message.fact, strength: message.strength, result: message.result },
        appliedAt: message.appliedAt === null ? null : message.appliedAt * micro,
      }),
    ),
  }
}

/** Reads every table once, and hands each world its rows. */
export async function readRefundRows(
  pool: Pool,
  players: readonly RefundPlayer[],
): Promise<ReadonlyMap<RefundPlayer, Rows>> {
  const owners = new Map(players.flatMap((player) => ownedBy(player)))
  const rows = new Map<RefundPlayer, Record<string, string[]>>()
  for (const [table, text] of Object.entries(texts)) {
    for (const player of players) rows.set(player, { ...rows.get(player), [table]: [] })
    for (const { owner, ...row } of (await pool.query<Row>(text)).rows) {
      const player = owners.get(String(owner))
      if (player !== undefined) rows.get(player)?.[table]?.push(lineOf(named(row, player)))
    }
  }
  return new Map([...rows].map(([player, each]) => [player, sorted(each)]))
}

/** Returns the keys by which rows belong to a world: its receipt, and the checkout that the receipt paid. */
function ownedBy(player: RefundPlayer): [string, RefundPlayer][] {
  const { receipt, checkoutId = receipt } = player.receipt
  return [
    [receipt, player],
    [checkoutId, player],
  ]
}

const operatorNames = new Map<Cell, string>([
  [amina.operatorId, 'amina'],
  [brian.operatorId, 'brian'],
])

/** Replaces ids in a row by the names that refunds, messages and operators have in the world. */
function named(row: Row, { refunds, messages }: RefundPlayer): Row {
  const numbers = new Map<Cell, number>(
    [refunds, messages].flatMap((ids) => ids.map((id, number) => [id, number] as const)),
  )
  const nameOf = (value: Cell) => numbers.get(value) ?? operatorNames.get(value) ?? value
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, nameOf(value)]))
}

/** Microseconds since the worlds began. */
const at = (column: string, name: string) =>
  `round(${micros(column)} - ${String(beginning)}000)::float8 AS "${name}"`

const texts: Readonly<Record<string, string>> = {
  refunds: `SELECT receipt AS owner, id, provider, minor, sent_by AS "sentBy", asked_by AS "askedBy", ${at('asked_at', 'askedAt')},
      status, decided_by AS "decidedBy", ${at('decided_at', 'decidedAt')}, ${at('submitted_at', 'submittedAt')},
      provider_request_id AS "providerRequestId", provider_code AS "providerCode", ${at('ended_at', 'endedAt')},
      ${at('next_action_at', 'nextActionAt')}, closing, closing_asked_by AS "closingAskedBy", closed_by AS "closedBy"
    FROM refunds`,
  messages: `SELECT r.receipt AS owner, m.id, m.refund_id AS refund, m.kind, m.source_known AS "isSourceKnown",
      convert_from(m.body, 'UTF8') AS body, ${at('m.received_at', 'receivedAt')}, m.deliveries, m.claims,
      ${at('m.next_action_at', 'nextActionAt')}, m.fact, m.strength, m.result, ${at('m.applied_at', 'appliedAt')}
    FROM provider_messages m JOIN refunds r ON r.id = m.refund_id`,
  transfers: `SELECT substring(event_key FROM '[^:]*$') AS owner, event_key AS "eventKey", leg, debit, credit, minor,
      ${at('event_at', 'eventAt')}
    FROM transfers`,
  intents: `SELECT receipt AS owner, status, event, disposition, settled_minor AS "settledMinor", ${at('ended_at', 'endedAt')}
    FROM intents`,
  steps: `SELECT i.receipt AS owner, s.from_status AS from, s.to_status AS to, ${at('s.at', 'at')}
    FROM intent_steps s JOIN intents i ON i.id = s.intent_id WHERE s.event = 'reversed'`,
  events: `SELECT subject_id AS owner, type, (SELECT count(*)::int FROM webhook_deliveries d WHERE d.event_id = e.id) AS deliveries
    FROM webhook_events e WHERE type NOT IN ('checkout.completed', 'checkout.expired')`,
  actions: `SELECT split_part(subject, ':', 2) AS owner, operator, did, subject, note, ${at('at', 'at')}
    FROM operator_actions`,
}
