/** A bug that a run must find: what the built code of a service has, and what it has instead. */
export interface Plant {
  /** How the path of the built file ends. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export const plants: Readonly<Record<string, Plant>> = {
  'paid-shown-as-expired': {
    file: 'services/ledger/dist/checkouts/present-checkout.js',
    from: "('CHECKOUT_STATUS', checkout.status)",
    to: "('CHECKOUT_STATUS', checkout.status === 'completed' ? 'expired' : checkout.status)",
  },
  'phone-in-log': {
    file: 'services/worker/dist/prompts/submit-prompt.js',
    from: 'payer: (0, ids_1.maskPhone)(prompt.phone)',
    to: 'payer: prompt.phone',
  },
}
