import { readCheckoutId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler'
import { renderSVG } from 'uqr'

export interface PageQrOptions {
  readonly baseUrl: string
}

/** `GET /c/{id}/qr.svg`: the address of the payer page, for the camera of a phone. It says nothing that the path does not. */
export function checkoutQr({ baseUrl }: PageQrOptions): Operation {
  return (request) => picture(`${baseUrl}/c/${readCheckoutId(request.params['id'])}`)
}

/** `GET /p/{handle}/qr.svg`: the same of a handle. */
export function handleQr({ baseUrl }: PageQrOptions): Operation {
  return (request) => picture(`${baseUrl}/p/${readHandle(String(request.params['handle']))}`)
}

function picture(address: string) {
  const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' }
  return Promise.resolve({ status: 200, headers, body: renderSVG(address, { border: 2 }) })
}
