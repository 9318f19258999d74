export type AuditAction =
  | 'account_created'
  | 'profile_edited'
  | 'link_created'
  | 'link_closed'
  | 'password_changed'
  | 'password_code_given'
  | 'password_codes_refused'
  | 'password_reset'
  | 'pin_set'
  | 'pin_changed'
  | 'pin_refused'
  | 'pin_locked'
  | 'pin_forgotten'
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'session_ended'
  | 'key_asked'
  | 'key_created'
  | 'key_revocation_asked'
  | 'key_revoked'
  | 'webhook_added'
  | 'webhook_removed'
  | 'webhook_secret_rotated'
  | 'webhook_switched_on'

/** The caller as the audit log stores it; empty when unknown. */
export interface Caller {
  readonly address: string
  readonly userAgent: string
}

export interface AuditEntry {
  readonly accountId: string
  readonly action: AuditAction
  /** The object of the action, such as the handle of a link. */
  readonly subject?: string
  readonly caller: Caller
}

export interface AuditEvent {
  readonly eventId: bigint
  readonly action: AuditAction
  readonly at: Date
  /** Empty when the action needs no detail. */
  readonly subject: string
  readonly caller: Caller
}
