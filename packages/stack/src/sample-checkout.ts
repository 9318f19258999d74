import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { ask } from './ask'
import type { StackFile } from './stack-file'

const answerDeadlineMs = 10_000
/** How long a service may answer 503 after the start, when all services start at the same time. */
const busyForMs = 30_000
const againAfterMs = 200
const created = z.object({ data: z.object({ url: z.url() }) })
/** A number of the simulator's whose prompt waits for a person: PIN 1234. */
const phone = '254708374149'

interface Around {
  readonly onProgress: (line: string) => void
  /** Aborted when the user no longer wants the stack. */
  readonly signal: AbortSignal
}

/**
 * Creates a checkout of Kenya's demo merchant through the merchant API. Returns the address of its page. A stack runs
 * on where it is refused, as for a frozen wallet: then this returns undefined, and a line says why.
 */
export async function createSampleCheckout(
  { hosts, merchants }: StackFile,
  { onProgress, signal }: Around,
): Promise<string | undefined> {
  const merchant = merchants.find(({ country }) => country === 'ke')
  const url = `${hosts.ke.base_url}/v1/payments/merchant/checkouts`
  const order = { amount: 150_000, description: 'Two crates of mangoes', phone }
  const headers = {
    authorization: `Bearer ${merchant?.secret_key ?? ''}`,
    'idempotency-key': randomUUID(),
  }
  const giveUpAt = performance.now() + busyForMs
  const isStopped = () => signal.aborted
  while (!isStopped()) {
    const { status, body } = await ask(url, answerDeadlineMs, order, { headers, signal }).catch(
      (error: unknown) => ({ status: 0, body: String(error) }),
    )
    if (status === 201) return created.parse(JSON.parse(body)).data.url
    if (isStopped()) break
    if (status !== 503 || performance.now() > giveUpAt) {
      const answered = status === 0 ? '' : `http ${String(status)}, `
      onProgress(`There is no sample checkout: ${answered}${body}`)
      break
    }
    await wait(againAfterMs, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}
