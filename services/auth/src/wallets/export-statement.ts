import { refuseField } from '@malipo/interface/validate'
import { maskPhone } from '@malipo/kernel/ids'
import { statementEntriesMax } from '@malipo/interface/hub'
import { majorText, type Minor } from '@malipo/kernel/money'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Wallet, WalletEntry } from '@malipo/ledger-client/wallets'
import { z } from 'zod'
import type { Hub } from '../operation'
import { csvAnswer } from './csv-answer'
import { daySchema, hourSchema, periodOf } from '../checkouts/list-checkouts'
import { readQuery } from '../hub-server/read-query'
import type { VisitOperation } from '../sessions/signed-in'

const pageLength = 50

/** Days, both included. */
const querySchema = z.strictObject({
  from: daySchema,
  until: daySchema,
  hour: hourSchema.optional(),
})

interface Period {
  readonly from: Date
  /** The end of the last day, or of the hour. */
  readonly until: Date
}

/**
 * `GET /v1/hub/wallet/statement.csv?from=2026-11-01&until=2026-11-30`: the balance before the first day, each entry
 * of the wallet with the balance after it, oldest first, and the balance after the last day. `hour=09` limits a single
 * day to an hour. Faults: invalid_request (also for more than 10,000 entries), rate_limited, ledger_unavailable.
 */
export function exportStatement({ ledgers, limitVisits }: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    const days = readQuery(querySchema, request)
    if (days.until < days.from) refuseField('until', 'must not be before `from`')
    const { from = days.from, until = days.until } = periodOf(days)
    const period = { from, until }
    limitVisits('file', accountId)
    const ledger = ledgers.of(account)
    const wallet = await ledger.readWallet(accountId, from)
    const entries = wallet === undefined ? [] : await readEntries(ledger, accountId, period)
    const rows = wallet === undefined ? [] : rowsOf(wallet, entries, period)
    return csvAnswer('statement.csv', columns, rows)
  }
}

/** The entries of a period, oldest first. Fault: invalid_request, when there are too many. */
async function readEntries(
  ledger: Ledger,
  accountId: string,
  { from: createdFrom, until: createdUntil }: Period,
): Promise<WalletEntry[]> {
  const all: WalletEntry[] = []
  let hasMore = true
  while (hasMore) {
    if (all.length >= statementEntriesMax) {
      refuseField(
        'from',
        `has more than ${String(statementEntriesMax)} entries after it: ask for fewer days, or an hour of one day`,
      )
    }
    const page = {
      limit: pageLength,
      createdFrom,
      createdUntil,
      beforeEntryId: all.at(-1)?.entryId,
    }
    const answer = await ledger.listWalletEntries(accountId, page)
    all.push(...answer.rows)
    hasMore = answer.hasMore
  }
  return all.reverse()
}

function rowsOf(
  { balanceMinor: openingMinor, currency }: Wallet,
  entries: readonly WalletEntry[],
  { from, until }: Period,
): Readonly<Record<string, unknown>>[] {
  let balanceMinor = openingMinor
  const moved = entries.map((entry) => {
    const { minor, at, phone } = entry
    balanceMinor += minor
    return {
      ...entry,
      ...balanceOf(at, balanceMinor),
      ...(minor < 0n ? amountAs('paid_out', -minor) : amountAs('paid_in', minor)),
      type: entry.move,
      checkout_id: entry.checkoutId,
      phone: phone === undefined ? undefined : maskPhone(phone),
    }
  })
  const rows = [
    { type: 'opening_balance', ...balanceOf(from, openingMinor) },
    ...moved,
    { type: 'closing_balance', ...balanceOf(until, balanceMinor) },
  ]
  return rows.map((row) => ({ ...row, currency }))
}

function balanceOf(at: Date, minor: Minor) {
  return { at: at.toISOString(), ...amountAs('balance', minor) }
}

function amountAs(column: 'paid_in' | 'paid_out' | 'balance', minor: Minor) {
  return { [column]: majorText(minor), [`${column}_minor`]: String(minor) }
}

/** Amounts are in major units of `currency`, for people; fields that end in `_minor` are as in the API. */
const columns = [
  ...['at', 'type', 'paid_in', 'paid_out', 'balance', 'currency', 'provider', 'receipt'],
  ...['checkout_id', 'reference', 'handle', 'phone'],
  ...['paid_in_minor', 'paid_out_minor', 'balance_minor'],
] as const
