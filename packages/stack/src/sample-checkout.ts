import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { ask } from './ask'
import type { StackFile } from './stack-file'

const answerDeadlineMs = 10_000
/** For this long a service may answer 503, because all others have just started beside it. */
const busyForMs = 30_000
const againAfterMs = 200
const created = z.object({ data: z.object({ url: z.url() }) })
/** A number of the simulator's whose prompt waits for a person: PIN 1234. */
const phone = '254708374149'

/** Creates a checkout of Kenya's demo merchant through the merchant API. Returns the address of its page. */
export async function createSampleCheckout({ hosts, merchants }: StackFile): Promise<string> {
  const merchant = merchants.find(({ country }) => country === 'ke')
  const url = `${hosts.ke.base_url}/v1/payments/merchant/checkouts`
  const order = { amount: 150_000, description: 'Two crates of mangoes', phone }
  const headers = {
    authorization: `Bearer ${merchant?.secret_key ?? ''}`,
    'idempotency-key': randomUUID(),
  }
  const giveUpAt = performance.now() + busyForMs
  for (;;) {
    const { status, body } = await ask(url, answerDeadlineMs, order, headers)
    if (status === 201) return created.parse(JSON.parse(body)).data.url
    if (status !== 503 || performance.now() > giveUpAt)
      throw new Error(`The sample checkout was answered ${String(status)}: ${body}`)
    await wait(againAfterMs)
  }
}
