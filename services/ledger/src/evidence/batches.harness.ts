import type { ApplyEvidenceResponse } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { systemClock } from '@malipo/runtime/clock'
import { Pool } from 'pg'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed, type Pending, uniqueReceipt } from '../payments.harness'
import { openNewIds } from '../database/ids'
import { Stale } from '../database/transaction'
import { applyEvidence } from './store/apply-evidence'

/** A provider message that reports a payment. */
export interface Item {
  readonly intentId: string
  readonly message_id: string
  readonly receipt: string
  readonly amount_minor: string | undefined
  readonly provider_request_id: string | undefined
}

const terms = {
  queryEverySeconds: 15,
  denyAfterSeconds: 20,
  reportHoldSeconds: 600,
  unconfirmedMaxMinor: 50_000n,
}

export interface Batches {
  readonly at: TestLedger
  item(attempt: Pending, changes?: Partial<Item>): Promise<Item>
  /** `count` payments of one merchant, whose callbacks are stored and not applied yet. */
  many(count: number): Promise<Item[]>
  /** The result of each item in one batch, in their order; all are "left out" where another transaction was first. */
  settle(items: readonly Item[]): Promise<string[]>
  /** Applies one item by a single call. */
  alone(one: Item, by?: Pick<TestLedger, 'ledger'>['ledger']): Promise<ApplyEvidenceResponse>
  close(): Promise<void>
}

/** A ledger, and batches of evidence as its service runs them. */
export async function openBatches(): Promise<Batches> {
  const at = await openLedger()
  const { pay } = at
  const newIds = openNewIds(countries.ke, systemClock)
  const pool = new Pool({ connectionString: at.database.url, max: 4, pipeline: true })
  pool.on('error', () => undefined)
  const item = async (attempt: Pending, changes: Partial<Item> = {}): Promise<Item> => ({
    intentId: attempt.intentId,
    message_id: await pay.callback(attempt.callbackToken),
    receipt: uniqueReceipt(),
    amount_minor: String(attempt.amountMinor),
    provider_request_id: attempt.providerRequestId,
    ...changes,
  })
  return {
    at,
    item,
    async many(count) {
      const accountId = await pay.merchant()
      const items: Item[] = []
      while (items.length < count) {
        const { checkoutId } = await pay.checkout({ accountId })
        items.push(await item(await pay.pending(checkoutId)))
      }
      return items
    },
    async settle(items) {
      const commands = items.map(({ message_id: messageId, receipt, ...row }) => ({
        ...{ messageId, newIntentId: newIds.intent() },
        fact: {
          ...{
            kind: 'receipt' as const,
            receipt,
            providerRequestId: row.provider_request_id,
          },
          amountMinor: row.amount_minor === undefined ? undefined : BigInt(row.amount_minor),
        },
      }))
      const answers = await applyEvidence(pool, commands, {
        terms,
        isWaiting: false,
      }).catch((error: unknown) => {
        if (error instanceof Stale) return []
        throw error
      })
      return items.map((_, place) => answers[place]?.result ?? 'left out')
    },
    async alone(one, by = at.ledger) {
      const { message_id: messageId, receipt, amount_minor: amount } = one
      const { provider_request_id: request } = one
      const fact = confirmed({
        receipt,
        ...(amount !== undefined && { amountMinor: BigInt(amount) }),
        ...(request !== undefined && { providerRequestId: request }),
      })
      return by.applyEvidence({ messageId, fact })
    },
    async close() {
      await pool.end()
      await at.close()
    },
  }
}
