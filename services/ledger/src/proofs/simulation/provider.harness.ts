import type { MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { Reported } from './tables.harness'

/** These two facts name no prompt on the wire (`Undecided` and `NotFound` of the ledger's service). */
export const undecided: Reported = { kind: 'undecided' }
export const notFound: Reported = { kind: 'not_found', code: 404 }

/** A prompt as the provider has it. */
export interface Prompt {
  readonly intentId: number
  readonly reference: string
  readonly rail: MobileRail | 'card'
  /** What the payer is asked for, with the fee of a card. */
  readonly amountMinor: Minor
  readonly requestId: number
  state: 'open' | 'paid' | 'declined'
  paid: Movement | undefined
  /** The code with which the provider declined. */
  code: number
}

/** Money that really moved. */
export interface Movement {
  readonly receipt: string
  readonly minor: Minor
  readonly rail: MobileRail | 'paybill' | 'card'
  /** The intent whose prompt was paid; undefined for money from the menu. */
  readonly intentId: number | undefined
  /** The account that the statement repeats; '' for a card. */
  readonly account: string
  /** The checkout that was really paid, however the ledger came to know of it; `ofHandle` for the handle. */
  readonly checkoutId: number | undefined
}

/** The provider's own book, which no message changes: the witness of every run. */
export class ProviderBook {
  readonly prompts: Prompt[] = []
  readonly movements: Movement[] = []

  promptOf(intentId: number, requestId?: number): Prompt | undefined {
    if (requestId !== undefined) return this.prompts[requestId]
    return this.prompts.find((prompt) => prompt.intentId === intentId)
  }

  prompt(request: Omit<Prompt, 'requestId' | 'state' | 'paid' | 'code'>): Prompt {
    const prompt: Prompt = {
      ...request,
      requestId: this.prompts.length,
      state: 'open',
      paid: undefined,
      code: 0,
    }
    this.prompts.push(prompt)
    return prompt
  }

  /** Moves the money of a prompt, as when the payer enters the PIN. */
  take(prompt: Prompt, minor: Minor, checkoutId: number): Movement {
    const paid = this.move({
      minor,
      rail: prompt.rail,
      intentId: prompt.intentId,
      account: prompt.reference,
      checkoutId,
    })
    prompt.state = 'paid'
    prompt.paid = paid
    return paid
  }

  move(moved: Omit<Movement, 'receipt'>): Movement {
    const movement = { ...moved, receipt: `R${String(this.movements.length)}` }
    this.movements.push(movement)
    return movement
  }

  findMovement(receipt: string): Movement | undefined {
    return this.movements.find((movement) => movement.receipt === receipt)
  }
}

export function reportedPaid({ receipt, minor }: Movement, requestId?: number): Reported {
  return { kind: 'receipt', receipt, minor, ...(requestId !== undefined && { requestId }) }
}

export function reportedToPayBill(movement: Movement): Reported {
  const { receipt, minor, account } = movement
  return { kind: 'receipt', receipt, minor, account, isSigned: true }
}

export function reportedDeclined({ requestId, code }: Prompt): Reported {
  return { kind: 'declined', requestId, code }
}

/** A notification of the card gateway proves nothing: it reports a payment without a receipt, or only some step. */
export function asReported({ rail, requestId }: Prompt, reported: Reported): Reported {
  if (rail !== 'card') return reported
  return reported.kind === 'receipt'
    ? { kind: 'paid', requestId }
    : { kind: 'undecided', requestId }
}

/** What a provider answers when a prompt is queried. M-PESA's "paid" has no receipt; that of other rails has one. */
export function answerOf(prompt: Prompt): Reported {
  // An order begins with the payer's first step on its page.
  if (prompt.state === 'open') return prompt.rail === 'card' ? notFound : undecided
  if (prompt.paid === undefined) return reportedDeclined(prompt)
  return prompt.rail === 'mpesa'
    ? { kind: 'paid', requestId: prompt.requestId }
    : reportedPaid(prompt.paid, prompt.requestId)
}
