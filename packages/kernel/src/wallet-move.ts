/** The reasons for an entry in a wallet. */
export type WalletMove =
  /** A payment. */
  | 'received'
  /** Frozen: the provider's statement does not list the payment, so the money was taken out and is held. */
  | 'frozen'
  /** An earlier entry that was frozen; a later entry has returned its money. */
  | 'unfrozen'
  /** Frozen for good: two operators agreed to a refund, for example because the payment was not made. */
  | 'voided'
  /** The return of frozen money. */
  | 'returned'
  /** Held money that two operators, or evidence, gave to this wallet. */
  | 'placed'
  /** A refund to the payer. */
  | 'refunded'
