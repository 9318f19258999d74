/** What the audit log knows; each word is a fact in the past. */
export type AuditAction =
  | 'account_created'
  | 'profile_edited'
  | 'link_created'
  | 'link_closed'
  | 'password_changed'
  | 'pin_set'
  | 'pin_changed'
  | 'pin_refused'
  | 'pin_locked'
  | 'pin_forgotten'
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'session_ended'
  | 'key_created'
  | 'key_revoked'
  | 'webhook_added'
  | 'webhook_removed'
  | 'webhook_secret_rotated'
  | 'webhook_switched_on'

/** Who asks, as the audit log remembers it; empty where it is unknown. */
export interface Caller {
  readonly address: string
  readonly userAgent: string
}

export interface AuditEntry {
  readonly accountId: string
  readonly action: AuditAction
  /** What it was done to, such as the handle of a link. */
  readonly subject?: string
  readonly caller: Caller
}

export interface AuditEvent {
  readonly eventId: bigint
  readonly action: AuditAction
  readonly at: Date
  /** Empty when the action says all. */
  readonly subject: string
  readonly caller: Caller
}
