import { withoutNulls } from '@malipo/contracts/present'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { listEntries } from './store/wallet-entries'
import { readPageLimit } from '../checkouts/list-checkouts'

/** What came into a wallet and went out of it, newest first, a page at a time. */
export function listWalletEntries(deps: Ledger): Operation<'listWalletEntries'> {
  return async ({ accountId, limit: given, beforeEntryId, createdFrom, createdUntil }) => {
    const limit = readPageLimit(given)
    const question = { limit, beforeEntryId, createdFrom, createdUntil }
    const found = await listEntries(deps.db, accountId, question)
    const entries = found.slice(0, limit).map((entry) => ({
      ...withoutNulls(entry),
      move: wireOf('WALLET_MOVE', entry.move),
    }))
    return { entries, hasMore: found.length > limit }
  }
}
