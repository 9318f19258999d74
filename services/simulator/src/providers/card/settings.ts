import type { Profile } from '../rules/profile'

/** What this gateway knows of: one merchant, and the word by which it is to recognise us. */
export interface CardSettings {
  /** Stands in every path of the strict profile; else each version from 60 on is taken. */
  readonly version: string
  readonly profile: Profile
  readonly merchantId: string
  readonly apiPassword: string
  /** Sent as `X-Notification-Secret` with each notification. */
  readonly notificationSecret: string
}
