/** The reasons for an entry in a wallet. */
export type WalletMove =
  /** A payment. */
  | 'received'
  /** Frozen: the provider's statement does not list the payment, so the money was taken out and is held. */
  | 'frozen'
  /** Frozen, and returned by a later entry. */
  | 'unfrozen'
  /** Frozen for good: two operators agreed to a refund, as when the payment was not made. */
  | 'voided'
  /** The return of frozen money. */
  | 'returned'
  /** Held money that two operators, or evidence, gave to this wallet. */
  | 'placed'
  /** A refund to the payer. */
  | 'refunded'
