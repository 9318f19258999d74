import { succeed } from '@malipo/runtime/answer'
import { z } from 'zod'
import type { WalletEntry } from '../clients/checkout'
import type { WalletEntryPage, WalletEntryView } from '@malipo/interface/hub'
import type { Ledgers } from './list-checkouts'
import { readQuery } from './read-query'
import type { VisitOperation } from './signed-in'

const pageLength = 25
const querySchema = z.strictObject({ before: z.string().max(200).optional() })

/** `GET /v1/hub/wallet/entries`: what came and went, newest first. Faults: invalid_request, ledger_unavailable. */
export function listWalletEntries({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, { account: { accountId, homeCountry } }) => {
    const { before: beforeEntryId } = readQuery(querySchema, request)
    const page = { limit: pageLength, beforeEntryId }
    const { rows, hasMore } = await ledgers[homeCountry].listWalletEntries(accountId, page)
    const view: WalletEntryPage = { entries: rows.map(showEntry), has_more: hasMore }
    return succeed(200, 'Wallet entries', view)
  }
}

function showEntry(entry: WalletEntry): WalletEntryView {
  return {
    entry_id: entry.entryId,
    amount: String(entry.minor),
    at: entry.at.toISOString(),
    provider: entry.provider ?? null,
    receipt: entry.receipt ?? null,
    checkout_id: entry.checkoutId ?? null,
    reference: entry.reference ?? null,
  }
}
