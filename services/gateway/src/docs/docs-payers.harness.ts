import { eventually } from '@malipo/testing/eventually'
import type { RunningHost } from '../start.harness'

interface Waiting {
  readonly id: string
  readonly rail: string
  readonly phone: string | null
  readonly asked_minor: string
}

const sql = `SELECT id, rail, phone, asked_minor FROM intents WHERE submitted_at IS NULL AND ended_at IS NULL AND status IN ('created', 'reserved')`

/**
 * Plays worker, provider and payer for a host without them: approves every prompt at once, except for phones of the
 * magic number 002, and opens a page for every card. `stop` ends it, and throws any error it met.
 */
export function playPayers(host: RunningHost): { stop(): Promise<void> } {
  let isStopped = false
  const pay = async ({ id, rail, phone, asked_minor: amountMinor }: Waiting) => {
    if (rail === 'card') return host.ledger.openCardPage(id)
    const token = await host.ledger.submit(id)
    if (phone?.endsWith('002')) await host.ledger.decline(token, 'CANCELLED')
    else await host.ledger.pay(token, BigInt(amountMinor))
    host.announce([id])
  }
  const playing = eventually(
    'the end of the snippets',
    async () => {
      for (const waiting of (await host.rows(sql)) as readonly Waiting[]) await pay(waiting)
      return isStopped
    },
    600_000,
  )
  return {
    async stop() {
      isStopped = true
      await playing
    },
  }
}
