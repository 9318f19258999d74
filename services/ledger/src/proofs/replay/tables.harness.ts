import type { Pool } from 'pg'
import {
  type Intent,
  type StartInput,
  type Moment,
  never,
  ofHandle,
  type Page,
} from '../simulation/tables.harness'
import { micros } from '../../database/transaction'
import { lineOf } from './calls.harness'
import type { Player } from './player.harness'

/** The rows of each table, as lines of text. */
export type Rows = Readonly<Record<string, readonly string[]>>

type Cell = string | number | boolean | bigint | null
type Row = Readonly<Record<string, Cell>>

/** Returns a moment in microseconds since the worlds began; null for `never`. */
function momentOf(at: Moment): number | null {
  return Math.abs(at) === never ? null : Math.round(at * 1_000_000)
}

/** Returns the rows that a world must have left in the database, according to its simulated ledger. */
export function expectedRows(player: Player): Rows {
  const { ledger } = player.world
  const { intents, messages, steps, transfers, suspense, keys, checkouts, wires, reports } = ledger
  const nameOf = (number: number) => {
    const intent = intents[number]
    return (intent?.reference ?? intent?.page) === undefined
      ? player.receipt(intent?.settled?.receipt ?? '')
      : String(number)
  }
  const accountOf = (account: string) =>
    account.replace(/^wallet:m(\d+)$/, (_, id: string) => `wallet:${player.accountId(id)}`)
  return sorted({
    checkouts: checkouts.map(({ id, amountMinor, expiresAt, isFrozen }) =>
      lineOf({ id, amountMinor, expiresAt: momentOf(expiresAt), isFrozen }),
    ),
    intents: intents.map((intent) =>
      lineOf({
        id: nameOf(intent.id),
        checkout: checkoutOf(intent.checkoutId),
        isToHandle: intent.checkoutId === ofHandle,
        rail: intent.rail,
        phone: intent.phone < 0 ? null : player.phone(intent.phone),
        amountMinor: intent.amountMinor,
        askedMinor: intent.askedMinor,
        status: intent.status,
        createdAt: momentOf(intent.createdAt),
        submittedAt: momentOf(intent.submittedAt),
        endedAt: momentOf(intent.endedAt),
        deadlineAt: momentOf(intent.deadlineAt),
        nextActionAt: momentOf(intent.nextActionAt),
        queryAt: momentOf(intent.queryAt),
        askedAt: momentOf(intent.askedAt),
        queuedAt: momentOf(intent.queuedAt),
        requestId: player.requestId(intent.requestId) ?? null,
        callbackRequestId: player.requestId(intent.callbackRequestId) ?? null,
        isReceiptWanted: intent.isReceiptWanted,
        deniedCode: intent.deniedCode ?? null,
        deniedAt: intent.deniedCode === undefined ? null : momentOf(intent.deniedAt),
        ...settledOf(player, intent),
        reportedAt: momentOf(intent.reportedAt),
      }),
    ),
    pages: intents.flatMap(({ id, page }) =>
      page === undefined ? [] : [lineOf({ id: nameOf(id), ...pageOf(player, page) })],
    ),
    steps: steps.map(({ intentId, from, event, to, at, order }) => {
      const place = steps.filter((one) => one.intentId === intentId && one.order <= order).length
      return lineOf({ id: nameOf(intentId), place, from, event, to, at: momentOf(at) })
    }),
    calls: [...wires].map(([intentId, { beganAt, endedAt = never, outcome = null }]) =>
      lineOf({
        id: nameOf(intentId),
        beganAt: momentOf(beganAt),
        endedAt: momentOf(endedAt),
        outcome,
      }),
    ),
    messages: messages.map((message) =>
      lineOf({
        id: message.id,
        intent: message.intentId === undefined ? null : nameOf(message.intentId),
        kind: message.kind,
        isSourceKnown: message.isSourceKnown,
        receivedAt: momentOf(message.receivedAt),
        deliveries: ledger.deliveries.get(message.id) ?? 0,
        nextActionAt: momentOf(message.nextActionAt),
        claims: message.claims,
        fact: message.fact ?? null,
        result: message.result ?? null,
      }),
    ),
    reports: reports.map(({ intentId, receipt, minor, strength, isElsewhere, at }) =>
      lineOf({
        id: nameOf(intentId),
        receipt: receipt === '' ? '' : player.receipt(receipt),
        minor,
        strength,
        isElsewhere,
        at: momentOf(at),
      }),
    ),
    payBillReports: ledger.payBillReports.map(
      ({ messageId, receipt, checkoutId = null, minor, at, until }) =>
        lineOf({
          ...{ id: messageId, receipt: player.receipt(receipt), checkout: checkoutId, minor },
          ...{ at: momentOf(at), until: momentOf(until) },
        }),
    ),
    transfers: transfers.map(({ receipt, leg, debit, credit, minor }) =>
      lineOf({ receipt: player.receipt(receipt), leg, debit, credit: accountOf(credit), minor }),
    ),
    suspense: suspense.map(({ reason, minor }) => lineOf({ reason, minor })),
    events: ledger.events.map(({ type, checkoutId }) =>
      lineOf({ type, checkout: checkoutId, deliveries: 1 }),
    ),
    keys: [...keys.values()].map(({ request, intentId }) =>
      lineOf({ ...keyOf(request), id: nameOf(intentId) }),
    ),
  })
}

function settledOf(player: Player, { settled }: Pick<Intent, 'settled'>) {
  if (settled === undefined) return { receipt: null, settledMinor: null, disposition: null }
  const { receipt, minor, disposition } = settled
  return { receipt: player.receipt(receipt), settledMinor: minor, disposition }
}

function pageOf(player: Player, { feeMinor, expiresAt, sessionId }: Page) {
  return {
    ...{ feeMinor, expiresAt: momentOf(expiresAt) },
    sessionId: player.requestId(sessionId) ?? null,
  }
}

function keyOf({ checkoutId, key, rail }: StartInput) {
  const ofPhone = checkoutId === ofHandle ? 'pay handle' : 'pay'
  return {
    of: rail === 'card' ? 'card' : ofPhone,
    ...{ checkout: checkoutOf(checkoutId), key: `key-${String(key)}` },
  }
}

/** Returns the number of a checkout; null for a payment to a handle, which has none. */
function checkoutOf(checkoutId: number): number | null {
  return checkoutId === ofHandle ? null : checkoutId
}

export function sorted(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).map(([table, lines]) => [table, lines.toSorted()]))
}

/** Reads every table once, and hands each world its rows. */
export async function readRows(
  pool: Pool,
  players: readonly Player[],
  beganAtMs: number,
): Promise<ReadonlyMap<Player, Rows>> {
  const found = await readTables(pool, beganAtMs)
  const owners = ownersOf(players)
  const rows = new Map<Player, Record<string, string[]>>()
  for (const player of players) {
    const tables = Object.keys(found).map((table): [string, string[]] => [table, []])
    rows.set(player, Object.fromEntries(tables))
  }
  for (const [table, all] of Object.entries(found)) {
    for (const { owner, ...row } of all) {
      const known = owners.get(String(owner))
      if (known === undefined) continue
      rows.get(known.player)?.[table]?.push(lineOf(named(row, known)))
    }
  }
  return new Map([...rows].map(([player, each]) => [player, sorted(each)]))
}

interface Owner {
  readonly player: Player
  readonly names: ReadonlyMap<string, string | number>
}

/** Returns the world of each key that rows have: a checkout, a message, an account or the seed in a receipt. */
function ownersOf(players: readonly Player[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const player of players) {
    const names = new Map<string, string | number>([
      ...player.checkouts.map((id, number): [string, number] => [id, number]),
      ...player.messages.map((id, number): [string, number] => [id, number]),
      ...[...player.attempts].map(([number, { id }]): [string, string] => [id, String(number)]),
    ])
    const owner = { player, names }
    for (const id of [...player.checkouts, ...player.messages]) owners.set(id, owner)
    owners.set(player.accountId(0), owner)
    owners.set(String(player.world.seed), owner)
  }
  return owners
}

/** Replaces ids in a row by the names in the world; an intent that began with its money is named by its receipt. */
function named({ receiptOfIntent, ...row }: Row, { names }: Owner): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (!['id', 'checkout', 'intent'].includes(column) || value === null) return [column, value]
      return [column, names.get(String(value)) ?? receiptOfIntent ?? value]
    }),
  )
}

async function readTables(pool: Pool, beganAtMs: number): Promise<Record<string, Row[]>> {
  const at = (column: string, name: string) =>
    `round(${micros(column)} - ${String(beganAtMs)}000)::float8 AS "${name}"`
  const seedOf = (receipt: string) => `substring(${receipt} FROM 'W(\\d+)[RF]\\d+$')`
  const owner = 'coalesce(i.checkout_id, i.account_id)'
  const texts: Record<string, string> = {
    checkouts: `SELECT c.id AS owner, c.id, c.amount_minor AS "amountMinor", ${at('c.expires_at', 'expiresAt')},
        w.frozen_at IS NOT NULL AS "isFrozen"
      FROM checkouts c JOIN wallets w USING (account_id)`,
    intents: `SELECT ${owner} AS owner, receipt AS "receiptOfIntent", id, checkout_id AS checkout,
        handle IS NOT NULL AS "isToHandle", rail, phone,
        amount_minor AS "amountMinor", asked_minor AS "askedMinor", status,
        ${at('created_at', 'createdAt')}, ${at('submitted_at', 'submittedAt')}, ${at('ended_at', 'endedAt')},
        ${at('deadline_at', 'deadlineAt')}, ${at('next_action_at', 'nextActionAt')}, ${at('query_at', 'queryAt')},
        ${at('asked_at', 'askedAt')}, ${at('queued_at', 'queuedAt')}, provider_request_id AS "requestId",
        callback_request_id AS "callbackRequestId", receipt_wanted AS "isReceiptWanted", denied_code AS "deniedCode", ${at('denied_at', 'deniedAt')}, receipt,
        settled_minor AS "settledMinor", disposition, ${at('reported_at', 'reportedAt')}
      FROM intents i`,
    pages: `SELECT ${owner} AS owner, i.id, fee_minor AS "feeMinor", ${at('expires_at', 'expiresAt')}, session_id AS "sessionId"
      FROM card_sessions JOIN intents i ON i.id = intent_id`,
    steps: `SELECT ${owner} AS owner, i.receipt AS "receiptOfIntent", i.id,
        (row_number() OVER (PARTITION BY s.intent_id ORDER BY s.step))::int AS place, s.from_status AS from, s.event, s.to_status AS to, ${at('s.at', 'at')}
      FROM intent_steps s JOIN intents i ON i.id = s.intent_id`,
    calls: `SELECT ${owner} AS owner, i.id, ${at('w.began_at', 'beganAt')}, ${at('w.ended_at', 'endedAt')}, w.outcome
      FROM wire_attempts w JOIN intents i ON i.id = w.intent_id`,
    messages: `SELECT m.id AS owner, m.id, m.intent_id AS intent, m.kind, m.source_known AS "isSourceKnown",
        ${at('m.received_at', 'receivedAt')}, m.deliveries, ${at('m.next_action_at', 'nextActionAt')}, m.claims, m.fact,
        m.result
      FROM provider_messages m`,
    reports: `SELECT ${owner} AS owner, i.id, r.receipt, r.minor, r.strength, r.is_elsewhere AS "isElsewhere", ${at('r.reported_at', 'at')}
      FROM payment_reports r JOIN intents i ON i.id = r.intent_id`,
    payBillReports: `SELECT message_id AS owner, message_id AS id, receipt, checkout_id AS checkout, minor,
        ${at('reported_at', 'at')}, ${at('held_until', 'until')}
      FROM pay_bill_reports`,
    transfers: `SELECT ${seedOf('event_key')} AS owner, split_part(event_key, ':', 3) AS receipt, leg, debit, credit, minor
      FROM transfers`,
    suspense: `SELECT ${seedOf('event_key')} AS owner, reason, minor FROM suspense_items`,
    events: `SELECT subject_id AS owner, type, subject_id AS checkout,
        (SELECT count(*)::int FROM webhook_deliveries d WHERE d.event_id = e.id) AS deliveries
      FROM webhook_events e WHERE type <> 'checkout.expired'`,
    keys: `SELECT ${owner} AS owner, i.receipt AS "receiptOfIntent", substring(k.scope FROM '^(pay handle|card|pay) ') AS of,
        i.checkout_id AS checkout, k.key, i.id
      FROM idempotency_keys k JOIN intents i ON i.id = k.intent_id`,
  }
  const found: Record<string, Row[]> = {}
  for (const [table, text] of Object.entries(texts)) {
    found[table] = (await pool.query<Row>(text)).rows
  }
  return found
}

/** Lists the rows that only the world or only the database has. */
export function differing(expected: Rows, got: Rows): readonly string[] {
  return Object.keys(expected).flatMap((table) => {
    const here = expected[table] ?? []
    const there = got[table] ?? []
    return [
      ...less(here, there).map((line) => `${table}: the world has ${line}`),
      ...less(there, here).map((line) => `${table}: the database has ${line}`),
    ]
  })
}

function less(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return lines.filter((line) => {
    const place = left.indexOf(line)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}
