/** What the story of a payment is made of. */
export type PaymentEventKind =
  | 'checkout'
  | 'step'
  | 'call'
  | 'message'
  | 'transfer'
  | 'delivery'
  | 'refund'
  | 'action'
