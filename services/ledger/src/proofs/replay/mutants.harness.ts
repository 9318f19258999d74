import { createCheckoutStatements } from '../../checkouts/store/create-checkout'
import { beginQueryStatements } from '../../intents/store/begin-query'
import { claimDueStatements } from '../../intents/store/claim-due'
import { expireOverdueStatements } from '../../intents/store/expire-overdue'
import { storeMessageStatements } from '../../evidence/store/provider-messages'
import { saveStatement } from '../../evidence/store/save'
import type { Statement } from '../../database/transaction'
import { startSaves } from '../../intents/store/save-start'
import { beginSubmitStatements } from '../../intents/store/begin-submit'
import { recordSubmitStatements } from '../../intents/store/record-submit'

/** A bug in statements that save: in each of `statements`, `from` is replaced by `to`. */
export interface Mutant {
  /** A simulated world in which the bug shows: its country and its seed. */
  readonly world: readonly ['ke' | 'ug', number]
  readonly statements: readonly Statement[]
  readonly from: string
  readonly to: string
}

const settle = [saveStatement]
const start = [startSaves.save]
const submit = [
  ...[beginSubmitStatements.save, beginSubmitStatements.saveFree],
  ...[beginSubmitStatements.saveEvents, beginSubmitStatements.saveFreeEvents],
]
const record = [
  recordSubmitStatements.save,
  recordSubmitStatements.saveFree,
  recordSubmitStatements.saveEvents,
  recordSubmitStatements.saveFreeEvents,
]
const query = [beginQueryStatements.save, beginQueryStatements.saveFree]
const claim = [claimDueStatements.save]
const expire = [expireOverdueStatements.save]
const store = [storeMessageStatements.save, storeMessageStatements.saveNew]
const create = [createCheckoutStatements.save]

/** Bugs for the statements that save, of the kinds that programmers make: a guard, a column, an amount or a row. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'a shilling more is posted than came': {
    world: ['ke', 1],
    ...{ statements: settle, from: 't.minor, t."eventAt"', to: 't.minor + 100, t."eventAt"' },
  },
  'money is posted the other way': {
    world: ['ke', 1],
    ...{ statements: settle, from: 't.debit, t.credit, d.', to: 't.credit, t.debit, d.' },
  },
  'an intent says the price, and not what came': {
    world: ['ke', 14],
    statements: settle,
    from: 'n."settledMinor", n.receipt',
    to: 'CASE WHEN n.receipt IS NOT NULL THEN i.amount_minor END, n.receipt',
  },
  'a settlement keeps the next query': {
    world: ['ke', 5],
    ...{ statements: settle, from: 'n."queryAt", n."receiptW', to: 'i.query_at, n."receiptW' },
  },
  'a no is not remembered': {
    world: ['ke', 5],
    ...{
      statements: settle,
      from: 'n."deniedCode", n."deniedAt"',
      to: 'NULL::text, NULL::timestamptz',
    },
  },
  'a report holds nothing open': {
    world: ['ug', 54],
    ...{
      statements: settle,
      from: 'n."endedAt", n."deadlineAt"',
      to: 'n."endedAt", CASE WHEN n."endedAt" IS NULL THEN i.deadline_at END',
    },
  },
  'a report is not noted on its intent': {
    world: ['ke', 7],
    ...{
      statements: settle,
      from: 'n.disposition, n."reportedAt"',
      to: 'n.disposition, i.reported_at',
    },
  },
  'money without a place is on no list': {
    world: ['ke', 1],
    ...{ statements: settle, from: "-> 'suspense'", to: "-> 'none'" },
  },
  'a report of payment is on no list': {
    world: ['ke', 7],
    ...{ statements: settle, from: "-> 'reports'", to: "-> 'none'" },
  },
  'a report from the menu holds nothing open': {
    world: ['ke', 7],
    ...{ statements: settle, from: 'r.minor, $1, r."heldUntil"', to: 'r.minor, $1, $1' },
  },
  'a message loses its fact': {
    world: ['ke', 1],
    ...{ statements: settle, from: 'SELECT a.fact, a.strength', to: 'SELECT NULL, a.strength' },
  },
  'the price is asked for, and no whole shillings': {
    world: ['ke', 1],
    ...{ statements: start, from: 'n."askedMinor",\n', to: 'n."amountMinor",\n' },
  },
  'an attempt that is not sent lives longer': {
    world: ['ke', 2],
    statements: start,
    from: 'n."deadlineAt", n."nextActionAt"',
    to: `n."deadlineAt" + interval '10 minutes', n."nextActionAt"`,
  },
  'a prompt that waits forgets since when': {
    world: ['ke', 9],
    ...{ statements: submit, from: 'queued_at = n."queuedAt"', to: 'queued_at = NULL' },
  },
  'a call is not written down': {
    world: ['ke', 1],
    ...{
      statements: submit,
      from: 'changed WHERE submitted_at IS NOT NULL',
      to: 'changed WHERE false',
    },
  },
  'the name of a prompt is not kept': {
    world: ['ke', 5],
    ...{
      statements: record,
      from: 'coalesce(i.provider_request_id, f."providerRequestId")',
      to: 'NULL',
    },
  },
  'the end of a call is written again each time it is recorded': {
    world: ['ke', 17],
    ...{ statements: record, from: 'AND w.ended_at IS NULL', to: '' },
  },
  'a query is not written down': {
    world: ['ke', 3],
    ...{ statements: query, from: 'asked_at = n.asked_at', to: 'asked_at = i.asked_at' },
  },
  'a message is read for ever': {
    world: ['ke', 6],
    ...{ statements: claim, from: 'SET claims = n.claims', to: 'SET claims = 0' },
  },
  'an expired intent is not watched': {
    world: ['ke', 3],
    ...{ statements: expire, from: 'query_at = n.query_at,', to: 'query_at = NULL,' },
  },
  'a callback is kept each time that it comes': {
    world: ['ug', 4],
    ...{ statements: store, from: 'CASE WHEN cell.is_counted THEN n.digest END', to: 'NULL' },
  },
  'a hint is stored as a callback': {
    world: ['ug', 4],
    ...{ statements: store, from: 'i.rail, cell.stored,', to: 'i.rail, n.kind,' },
  },
  'a payment is not notified': {
    world: ['ke', 4],
    ...{ statements: settle, from: "-> 'paymentEvents'", to: "-> 'none'" },
  },
  'a prompt that is refused is not notified': {
    world: ['ke', 1],
    statements: [recordSubmitStatements.saveEvents, recordSubmitStatements.saveFreeEvents],
    ...{ from: 'num_nonnulls(unpaid_event, paid_event) > 0', to: 'false' },
  },
  'the page of a card closes a minute early': {
    world: ['ke', 4],
    statements: [startSaves.savePages],
    from: 'n."expiresAt", decode',
    to: `n."expiresAt" - interval '1 minute', decode`,
  },
  'the page that the gateway opened is not kept': {
    world: ['ke', 5],
    statements: [
      ...[recordSubmitStatements.savePages, recordSubmitStatements.saveFreePages],
      ...[recordSubmitStatements.saveEvents, recordSubmitStatements.saveFreeEvents],
    ],
    from: 'SET session_id = r."sessionId", success_indicator = r."successIndicator"',
    to: 'SET session_id = s.session_id',
  },
  'money for a handle is noted for no handle': {
    world: ['ke', 5],
    ...{ statements: settle, from: 'b."accountId", b.handle', to: 'b."accountId", NULL' },
  },
  'a checkout is open a minute longer': {
    world: ['ke', 1],
    statements: create,
    from: 'now, "expiresAt" FROM made',
    to: `now, "expiresAt" + interval '1 minute' FROM made`,
  },
}

/** Runs a task with the bug planted. It needs new connections, as older ones have the sound statements prepared. */
export async function withMutant<Answer>(
  { statements, from, to }: Mutant,
  task: () => Promise<Answer>,
): Promise<Answer> {
  const lacking = statements.find(({ text }) => !text.includes(from))
  if (lacking !== undefined) throw new Error(`${lacking.name} has no ${from}`)
  const sound = statements.map(({ text }) => text)
  for (const statement of statements) {
    Object.assign(statement, { text: statement.text.replace(from, to) })
  }
  return task().finally(() => {
    for (const [place, statement] of statements.entries()) {
      Object.assign(statement, { text: sound[place] })
    }
  })
}
