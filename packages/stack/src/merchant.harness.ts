import { z } from 'zod'
import type { StackFile } from './stack-file'

const checkout = z.object({
  data: z.object({ id: z.string(), created_at: z.string(), expires_at: z.string() }),
})

/** Makes a checkout of the Kenyan demo merchant. */
export async function createCheckout(stack: StackFile): Promise<z.output<typeof checkout>['data']> {
  const answer = await fetch(checkoutsOf(stack), {
    method: 'POST',
    headers: { ...authorization(stack), 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 10_000 }),
  })
  return checkout.parse(await answer.json()).data
}

/** Reads a checkout as the Kenyan demo merchant, and returns the HTTP status. */
export async function readStatus(stack: StackFile, id: string): Promise<number> {
  const answer = await fetch(`${checkoutsOf(stack)}/${id}`, { headers: authorization(stack) })
  return answer.status
}

/** How long a checkout of this stack can be paid. */
export async function lifeSeconds(stack: StackFile): Promise<number> {
  const { created_at: created, expires_at: expires } = await createCheckout(stack)
  return Math.round((Date.parse(expires) - Date.parse(created)) / 1_000)
}

export async function isReady(stack: StackFile, name: string): Promise<boolean> {
  const url = stack.processes[name]?.metrics_url.replace('/metrics', '/readyz') ?? ''
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

function checkoutsOf({ hosts }: StackFile): string {
  return `${hosts.ke.base_url}/v1/payments/merchant/checkouts`
}

function authorization({ merchants }: StackFile): { authorization: string } {
  const key = merchants.find(({ country }) => country === 'ke')?.secret_key ?? ''
  return { authorization: `Bearer ${key}` }
}
