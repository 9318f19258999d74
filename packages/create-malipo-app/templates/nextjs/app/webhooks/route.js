import { MalipoWebhookError, verifyWebhook } from '@malipo/sdk'
import { settle } from '../../malipo.mjs'

export async function POST(request) {
  // The signature covers the bytes as they were sent, so the body is not parsed before the check.
  const body = new Uint8Array(await request.arrayBuffer())
  let event
  try {
    event = verifyWebhook(body, request.headers, process.env.MALIPO_WEBHOOK_SECRET)
  } catch (error) {
    if (!(error instanceof MalipoWebhookError)) throw error
    return new Response(null, { status: 400 })
  }
  if (event.type === 'checkout.completed') await settle(event.data.id)
  return new Response(null, { status: 204 })
}
