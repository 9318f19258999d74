import { readCheckoutId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import { redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'

/** `GET /c/{id}/pay`, `/card`: a browser that restores its tabs opens a form's target with GET. It gets the page. */
export const returnToCheckout: Operation = ({ params }) =>
  Promise.resolve(redirectTo(`/c/${readCheckoutId(params['id'])}`))

/** `GET /p/{handle}/pay`: a browser that restores its tabs gets the page of the handle. */
export const returnToHandle: Operation = ({ params }) =>
  Promise.resolve(redirectTo(`/p/${readHandle(String(params['handle']))}`))
