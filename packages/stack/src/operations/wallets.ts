import type {
  AskFreezingResponse,
  DecideFreezingResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type Done, doneIf } from './done'
import { type Connections, ledgerOf } from './ledgers'
import type { Order } from './suspense'

const deadlineMs = 10_000

/** Asks to freeze the wallet of an account, which then takes no money, or to thaw it. */
export async function askFreezing(
  connections: Connections,
  { country, subject: accountId, note }: Order,
  frozen: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(connections, accountId, country)
  const { outcome, freezingId } = await call<AskFreezingResponse>(
    deadlineMs,
    (metadata, options, done) =>
      client.askFreezing({ accountId, frozen, note }, metadata, options, done),
  )
  return doneIf(outcome, /_OUTCOME_ASKED$/, freezingId)
}

export async function decideFreezing(
  connections: Connections,
  { country, subject: freezingId, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(connections, freezingId, country)
  const { outcome } = await call<DecideFreezingResponse>(deadlineMs, (metadata, options, done) =>
    client.decideFreezing({ freezingId, agreed, note }, metadata, options, done),
  )
  return doneIf(outcome, /_OUTCOME_(?:FROZEN|THAWED|WITHDRAWN)$/)
}
