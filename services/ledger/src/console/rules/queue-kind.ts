/** What waits for an operator, except reports of payment, which have their own rules. */
export type QueueKind =
  | 'suspense'
  | 'placement'
  | 'refund'
  | 'refund_closing'
  | 'report_closing'
  | 'freezing'
  | 'enrollment'
  | 'retirement'
  | 'refund_undecided'
  | 'stuck_intent'
  | 'parked_message'
  | 'difference'
