import { type Done, doneIf } from './done'
import { type Connections, ledgerOf } from './ledgers'
import type { Order } from './suspense'

/** Asks to freeze the wallet of an account, which then takes no money, or to thaw it. */
export async function askFreezing(
  connections: Connections,
  { country, subject: accountId, note }: Order,
  frozen: boolean,
): Promise<Done> {
  const { writes } = ledgerOf(connections, accountId, country)
  const { outcome, freezingId } = await writes.askFreezing({ accountId, frozen, note })
  return doneIf(outcome, /_OUTCOME_ASKED$/, freezingId)
}

export async function decideFreezing(
  connections: Connections,
  { country, subject: freezingId, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { writes } = ledgerOf(connections, freezingId, country)
  const { outcome } = await writes.decideFreezing({ freezingId, agreed, note })
  return doneIf(outcome, /_OUTCOME_(?:FROZEN|THAWED|WITHDRAWN)$/)
}
