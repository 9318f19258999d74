import { readCheckoutId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler-factory'
import { redirectTo } from './redirect-to'

/** `GET /c/{id}/pay`, `/card`: a form's target, opened with GET by a browser that restores its tabs. */
export const returnToCheckout: Operation = ({ params }) =>
  Promise.resolve(redirectTo(`/c/${readCheckoutId(params['id'])}`))

/** `GET /p/{handle}/pay`: the same for a handle. */
export const returnToHandle: Operation = ({ params }) =>
  Promise.resolve(redirectTo(`/p/${readHandle(String(params['handle']))}`))
