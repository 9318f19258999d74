import { readCheckoutId } from '@malipo/interface/fields'
import type { Operation } from '@malipo/runtime/door'
import { renderSVG } from 'uqr'

export interface CheckoutQrOptions {
  readonly baseUrl: string
}

/** `GET /c/{id}/qr.svg`: the address of the payer page, for the camera of a phone. It says nothing that the path does not. */
export function checkoutQr({ baseUrl }: CheckoutQrOptions): Operation {
  return (request) => {
    const address = `${baseUrl}/c/${readCheckoutId(request.params['id'])}`
    const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' }
    return Promise.resolve({ status: 200, headers, body: renderSVG(address, { border: 2 }) })
  }
}
