import { maskPhone } from '@malipo/kernel/ids'
import { succeed } from '@malipo/runtime/answer'
import { z } from 'zod'
import type { Hub } from '../operation'
import { foldHandle } from '../handles/rules/handle'
import { findLinkTitles } from '../links/store/links'
import type { WalletEntryPage, WalletEntryView } from '@malipo/interface/hub'
import type { WalletEntry } from '@malipo/ledger-client/wallets'
import { readQuery } from '../hub-server/read-query'
import type { VisitOperation } from '../sessions/signed-in'

const pageLength = 25
const querySchema = z.strictObject({ before: z.string().max(200).optional() })

/** `GET /v1/hub/wallet/entries`: the wallet's entries, newest first. Faults: invalid_request, ledger_unavailable. */
export function listWalletEntries(deps: Hub): VisitOperation {
  const { db, ledgers } = deps
  return async (request, { account }) => {
    const { accountId } = account
    const { before: beforeEntryId } = readQuery(querySchema, request)
    const page = { limit: pageLength, beforeEntryId }
    const { rows, hasMore } = await ledgers.of(account).listWalletEntries(accountId, page)
    const titles = await findLinkTitles(
      db,
      accountId,
      rows.flatMap(({ handle }) => handle ?? []),
    )
    const entries = rows.map((entry) => showEntry(entry, titles))
    const view: WalletEntryPage = { entries, has_more: hasMore }
    return succeed(200, 'Wallet entries', view)
  }
}

function showEntry(entry: WalletEntry, titles: ReadonlyMap<string, string>): WalletEntryView {
  return {
    entry_id: entry.entryId,
    amount: String(entry.minor),
    at: entry.at.toISOString(),
    provider: entry.provider ?? null,
    receipt: entry.receipt ?? null,
    checkout_id: entry.checkoutId ?? null,
    reference: entry.reference ?? null,
    handle: entry.handle ?? null,
    link_title: titles.get(foldHandle(entry.handle ?? '')) ?? null,
    phone: entry.phone === undefined ? null : maskPhone(entry.phone),
    move: entry.move,
  }
}
