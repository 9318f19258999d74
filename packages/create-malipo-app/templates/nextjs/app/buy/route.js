import { writeFileSync } from 'node:fs'
import { malipo } from '../../malipo.mjs'

export async function POST() {
  const order = `shop-${crypto.randomUUID()}`
  writeFileSync(`order-${order}`, '')
  const details = {
    amount: 150_000,
    reference: order,
    description: 'Two bags of coffee',
    ...(process.env.RETURN_URL && { return_url: process.env.RETURN_URL }),
  }
  const checkout = await malipo().checkouts.create(details, { idempotencyKey: order })
  return Response.redirect(checkout.url, 303)
}
