import { readCheckoutId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler-factory'
import { seePage } from './see-page'

/** `GET /c/{id}/pay`, `/card`: a form's target, opened with GET by a browser that restores its tabs. */
export const returnToCheckout: Operation = ({ params }) =>
  Promise.resolve(seePage(`/c/${readCheckoutId(params['id'])}`))

/** `GET /p/{handle}/pay`: the same for a handle. */
export const returnToHandle: Operation = ({ params }) =>
  Promise.resolve(seePage(`/p/${readHandle(String(params['handle']))}`))
