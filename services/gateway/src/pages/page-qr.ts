import { readCheckoutId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { renderSVG } from 'uqr'

/** `GET /c/{id}/qr.svg`: the payer page's address as a QR code. It reveals nothing beyond the path. */
export function checkoutQr({ baseUrl }: Gateway): Operation {
  return (request) => picture(`${baseUrl}/c/${readCheckoutId(request.params['id'])}`)
}

/** `GET /p/{handle}/qr.svg`: the address of the page of a handle as a QR code. */
export function handleQr({ baseUrl }: Gateway): Operation {
  return (request) => picture(`${baseUrl}/p/${readHandle(String(request.params['handle']))}`)
}

function picture(address: string) {
  const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' }
  return Promise.resolve({ status: 200, headers, body: renderSVG(address, { border: 2 }) })
}
