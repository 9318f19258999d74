import { settle } from '../../malipo.mjs'

export async function GET(request) {
  const checkoutId = new URL(request.url).searchParams.get('checkout') ?? ''
  const isPaid = await settle(checkoutId)
  return new Response(isPaid ? 'Thank you!' : 'This order is not paid, or not yet.')
}
