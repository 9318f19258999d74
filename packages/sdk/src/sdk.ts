export { type Checkout, type CheckoutPayment, type NewCheckout } from './checkout'
export { MalipoConnectionError, MalipoError, type FieldProblem } from './errors'
export {
  type CallOptions,
  type CreateOptions,
  Malipo,
  type MalipoOptions,
  type WaitOptions,
} from './malipo'
export {
  MalipoWebhookError,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from './verify-webhook'
