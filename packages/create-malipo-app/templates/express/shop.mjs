import { renameSync, writeFileSync } from 'node:fs'
import express from 'express'
import { Malipo, MalipoWebhookError, verifyWebhook } from '@malipo/sdk'

const malipo = new Malipo({ secretKey: process.env.MALIPO_KEY, baseUrl: process.env.MALIPO_URL })
const app = express()

app.get('/', (request, response) => {
  response.send(
    '<form method="post" action="/buy"><button>Two bags of coffee, KES 1,500</button></form>',
  )
})

app.post('/buy', async (request, response) => {
  const order = `shop-${crypto.randomUUID()}`
  writeFileSync(`order-${order}`, '')
  const details = {
    amount: 150_000,
    reference: order,
    description: 'Two bags of coffee',
    ...(process.env.RETURN_URL && { return_url: process.env.RETURN_URL }),
  }
  const checkout = await malipo.checkouts.create(details, { idempotencyKey: order })
  response.redirect(303, checkout.url)
})

app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  let event
  try {
    event = verifyWebhook(request.body, request.headers, process.env.MALIPO_WEBHOOK_SECRET)
  } catch (error) {
    if (!(error instanceof MalipoWebhookError)) throw error
    return response.sendStatus(400)
  }
  if (event.type === 'checkout.completed') await settle(event.data.id)
  response.sendStatus(204)
})

app.get('/thanks', async (request, response) => {
  const isPaid = await settle(String(request.query.checkout))
  response.send(isPaid ? 'Thank you!' : 'This order is not paid, or not yet.')
})

/**
 * Delivers the order of a checkout, if that is completed and was not refunded. Returns whether that is so. An order is
 * delivered once, also if it has several checkouts.
 */
async function settle(checkoutId) {
  const { status, payment, reference } = await malipo.checkouts.retrieve(checkoutId)
  // An event may come late, when its payment has already been refunded.
  if (status !== 'completed' || payment?.status === 'reversed') return false
  try {
    // Only one of all requests can rename the file. With a database: an UPDATE of the order that changes its row only once.
    renameSync(`order-${reference}`, `delivered-${reference}`)
    console.log('Deliver the order', reference)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return true
}

app.use((error, request, response, _next) => {
  console.error(error)
  response.status(500).send('Something went wrong. Try again.')
})

const server = app.listen(process.env.PORT ?? 3000, () => {
  console.log(`Open http://localhost:${server.address().port}`)
})
