/** Where received money goes. It is always posted; only the credit side varies. */
export const dispositions = [
  'merchant',
  'suspense_duplicate',
  'suspense_mismatch',
  'suspense_unmatched',
] as const
export type Disposition = (typeof dispositions)[number]

export const checkoutStates = ['unpaid', 'paid'] as const
export const amountMatches = ['exact', 'differs'] as const
export const walletStates = ['open', 'frozen'] as const
export type CheckoutPaid = (typeof checkoutStates)[number]
export type AmountMatch = (typeof amountMatches)[number]
export type WalletState = (typeof walletStates)[number]

/**
 * The exact amount completes a checkout that is not paid yet, also one that has expired: the money landed. Neither
 * under- nor overpayment ever completes one, and two halves are not added up. A wallet that was frozen after the
 * prompt went out cannot take the money, so it waits for a person.
 */
export const dispositionOf = {
  unpaid: {
    exact: { open: 'merchant', frozen: 'suspense_unmatched' },
    differs: { open: 'suspense_mismatch', frozen: 'suspense_mismatch' },
  },
  paid: {
    exact: { open: 'suspense_duplicate', frozen: 'suspense_duplicate' },
    differs: { open: 'suspense_duplicate', frozen: 'suspense_duplicate' },
  },
} as const satisfies Record<CheckoutPaid, Record<AmountMatch, Record<WalletState, Disposition>>>
