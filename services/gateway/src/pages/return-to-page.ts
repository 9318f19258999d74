import { readCheckoutId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler-factory'
import { seePage } from './see-page'

/** `GET /c/{id}/pay`, `/card`: where a form went, asked for by a browser that opens its tabs again. */
export const returnToCheckout: Operation = ({ params }) =>
  Promise.resolve(seePage(`/c/${readCheckoutId(params['id'])}`))

/** `GET /p/{handle}/pay`: the same of a handle. */
export const returnToHandle: Operation = ({ params }) =>
  Promise.resolve(seePage(`/p/${readHandle(String(params['handle']))}`))
