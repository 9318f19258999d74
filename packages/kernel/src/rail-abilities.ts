import type { MobileRail, Rail } from './countries'

/** What a rail can do. Code asks for an ability, and never for a rail by its name: a new rail is a row here. */
export interface RailAbilities {
  /** How a payer is asked to pay: by a prompt on the phone, on a page of the provider, or never: the payer begins. */
  readonly asks: 'by_prompt' | 'by_page' | 'never'
  /** Payers also pay from a menu of their phone, to a number of ours: a Pay Bill number or a till. */
  readonly hasMenu: boolean
  /** The provider draws a QR code that its own app pays by. */
  readonly hasQr: boolean
  /** The provider answers a status query for one payment. */
  readonly hasStatus: boolean
  /** The provider has a statement, which lists all payments of a period. */
  readonly hasStatement: boolean
  /**
   * How we learn the end of a refund: by a callback, by a status query, or by the answer to our order. Undefined: the
   * provider has no API for refunds, and a person makes them.
   */
  readonly refundVerdict: 'reported' | 'asked_for' | 'answered' | undefined
}

export const railAbilities = {
  mpesa: {
    ...{ asks: 'by_prompt', hasMenu: true, hasQr: true },
    ...{ hasStatus: true, hasStatement: true, refundVerdict: 'reported' },
  },
  mtn_momo: {
    ...{ asks: 'by_prompt', hasMenu: false, hasQr: false },
    ...{ hasStatus: true, hasStatement: false, refundVerdict: undefined },
  },
  airtel_money: {
    ...{ asks: 'by_prompt', hasMenu: false, hasQr: false },
    ...{ hasStatus: true, hasStatement: false, refundVerdict: 'answered' },
  },
  card: {
    ...{ asks: 'by_page', hasMenu: false, hasQr: false },
    ...{ hasStatus: true, hasStatement: false, refundVerdict: 'asked_for' },
  },
  // The menu of M-PESA, whose payments have receipts of M-PESA and are in the same statement.
  paybill: {
    ...{ asks: 'never', hasMenu: true, hasQr: false },
    ...{ hasStatus: false, hasStatement: true, refundVerdict: 'reported' },
  },
} as const satisfies Record<Rail, RailAbilities>

export function asksByPrompt(rail: Rail): rail is MobileRail {
  return railAbilities[rail].asks === 'by_prompt'
}

export function asksByPage(rail: Rail): boolean {
  return railAbilities[rail].asks === 'by_page'
}

/** Whether payers are asked to pay over this rail; if not, a payment is first known once it is made. */
export function asksPayers(rail: Rail): boolean {
  return railAbilities[rail].asks !== 'never'
}
