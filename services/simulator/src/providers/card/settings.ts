/** What this gateway knows of: one merchant, and the word by which it is to recognise us. */
export interface CardSettings {
  /** Stands in every path. */
  readonly version: string
  readonly merchantId: string
  readonly apiPassword: string
  /** Sent as `X-Notification-Secret` with each notification. */
  readonly notificationSecret: string
}
