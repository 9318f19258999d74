import { asksByPrompt, railAbilities } from '@malipo/kernel/rail-abilities'
import { hold } from '../../evidence/rules/evaluate'
import type { Intent, NotedReport } from '../../evidence/rules/state'
import { intentMachine } from '../../intents/rules/intent'
import { providerOf } from '../../journal/rules/postings'
import type { PaidFact, PayBillState } from './state'

/** Money that evidence would settle, and that is listed for operators instead. */
interface Contradiction {
  readonly result: 'contradiction'
  readonly writes: { readonly report: NotedReport; readonly intent?: Intent | undefined }
}

/** How a reported payment contradicts the journal, by its prompt or by its receipt. Undefined where it does not. */
export function contradict(state: PayBillState, fact: PaidFact): Contradiction | undefined {
  return contradictPosting(state, fact) ?? contradictOwner(state, fact)
}

/**
 * Whether a payment with the reference of this intent is the payment of its prompt, which M-PESA may report as one
 * from the menu. A prompt that is still to be sent took no money, so there the payer has typed the reference.
 */
export function isOfPrompt({ rail, status }: Intent): boolean {
  if (!asksByPrompt(rail) || !railAbilities[rail].hasMenu) return false
  return intentMachine[status].confirmed !== null
}

/**
 * Lists for operators a payment of a prompt that they have posted by hand under another receipt: one of the two receipts
 * is wrong, and a second posting would double the money. A payment of another amount is not of the prompt: its payer typed
 * the reference of the prompt.
 */
function contradictPosting(state: PayBillState, fact: PaidFact): Contradiction | undefined {
  const { intent, isPostedByHand, postedMinor } = state
  if (intent === undefined || !isPostedByHand || postedMinor !== undefined) return undefined
  // A Pay Bill receipt cannot be of a prompt of another provider: the payer typed the reference of that prompt.
  if (!railAbilities[intent.rail].hasMenu) return undefined
  const { receipt, amountMinor: minor } = fact
  if (receipt === intent.receipt || minor !== intent.settledMinor) return undefined
  const report = reportOf(state, { intent, fact, isElsewhere: false })
  return { result: 'contradiction', writes: { report } }
}

/**
 * Lists for operators a prompt without money that is named with the receipt of another payment, and keeps the prompt open:
 * one of the two payments names the wrong prompt. A payment to a till names no prompt.
 */
function contradictOwner(state: PayBillState, fact: PaidFact): Contradiction | undefined {
  const { intent, isReceiptOfAnother, now } = state
  if (intent === undefined || !isReceiptOfAnother || fact.account === '') return undefined
  if (!isOfPrompt(intent)) return undefined
  const report = reportOf(state, { intent, fact, isElsewhere: true })
  const held = hold({ intent, now }, fact.holdSeconds)
  return { result: 'contradiction', writes: { report, intent: held } }
}

function reportOf(
  { message }: PayBillState,
  named: { readonly intent: Intent; readonly fact: PaidFact; readonly isElsewhere: boolean },
): NotedReport {
  const { intent, fact, isElsewhere } = named
  const { receipt, amountMinor: minor } = fact
  return {
    ...{ intentId: intent.id, messageId: message.id, provider: providerOf[intent.rail] },
    ...{ receipt, minor, paidAt: null, requestId: null, isElsewhere },
    strength: message.kind === 'callback' ? 'E3' : 'E4',
  }
}
