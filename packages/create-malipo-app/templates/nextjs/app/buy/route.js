import { writeFileSync } from 'node:fs'
import { malipo } from '../../malipo.mjs'

export async function POST() {
  const checkout = await malipo().checkouts.create({
    amount: 150_000,
    reference: `shop-${Date.now()}`,
    description: 'Two bags of coffee',
    ...(process.env.RETURN_URL && { return_url: process.env.RETURN_URL }),
  })
  writeFileSync(`order-${checkout.id}`, '')
  return Response.redirect(checkout.url, 303)
}
