/** Why money came into a wallet or went out of it. */
export type WalletMove =
  /** A payer paid it. */
  | 'received'
  /** It was taken out, because the provider's statement does not show the payment, and is held. */
  | 'frozen'
  /** It was taken out so, and has come back by another entry. */
  | 'unfrozen'
  /** It was taken out so for good: two operators found that the payment was not made, or was for another. */
  | 'voided'
  /** It comes back after it was frozen. */
  | 'returned'
  /** It was held, and two operators gave it to this wallet. */
  | 'placed'
  /** It went back to its payer. */
  | 'refunded'
