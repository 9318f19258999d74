import type { SignedActName } from './signed-acts'

/** The sentence that an operator reads for the outcome of an act, and whether the act did what it was for. */
export interface OutcomeText {
  readonly text: string
  readonly isDone: boolean
}

const done = (text: string): OutcomeText => ({ text, isDone: true })
const refused = (text: string): OutcomeText => ({ text, isDone: false })

const texts: Readonly<Record<string, OutcomeText>> = {
  asked: done('Asked for. Another operator has to approve it.'),
  placed: done('Placed: the money is with its owner.'),
  approved: done('Approved: the refund will be sent.'),
  paid: done('Written down as paid back.'),
  failed: done('Written down as not paid back.'),
  closed: done('Closed.'),
  frozen: done('The wallet is frozen.'),
  thawed: done('The wallet takes money again.'),
  enrolled: done('Enrolled.'),
  retired: done('Retired.'),
  withdrawn: done('Refused, and withdrawn.'),
  needs_another: refused('You asked for it, so another operator has to approve it.'),
  needs_enrolled: refused('Two operators are enrolled: one of them has to ask for you.'),
  name_taken: refused('Another operator has this name.'),
  subject_taken: refused('This person has another key. It is retired first.'),
  not_in_suspense: refused('Nothing is held under this receipt.'),
  refund_underway: refused('A refund of it is under way.'),
  checkout_not_found: refused('There is no such checkout here.'),
  wallet_not_open: refused('The account has no open wallet here, or it is frozen.'),
  checkout_paid: refused('The checkout is paid.'),
  amount_differs: refused(
    'The checkout takes its own amount, or that rounded up to a whole shilling.',
  ),
  still_unconfirmed: refused('The statement does not show this payment, so there may be no money.'),
  placement_underway: refused('A placement of it was asked for before.'),
  nothing_to_refund: refused('There is nothing to refund under this receipt.'),
  rail_without_refunds: refused(
    'We send no refunds by this provider: it takes none, or the worker may order none (MPESA_INITIATOR, AIRTEL_REFUNDS). Give the money back in its portal, then ask again with "The provider already did".',
  ),
  not_sent_or_decided: refused('The refund was not sent, or its outcome is known.'),
  still_asked: refused('The provider is still asked about it, for 72 hours after it was sent.'),
  closing_underway: refused('A closing of it was asked for before.'),
  report_posted: refused('The money came: the report was true.'),
  report_closed: refused('It is closed.'),
  posted: done('Posted: the payment has its money.'),
  report_not_found: refused('No payment of it is reported for ten minutes or longer.'),
  receipt_posted: refused('This receipt is posted, or held: look it up.'),
  receipt_elsewhere: refused('This receipt was reported for another payment.'),
  receipt_malformed: refused('No receipt of this provider looks so.'),
  amount_not_asked: refused('The payer was asked for another amount.'),
  posting_underway: refused('A posting of it was asked for before.'),
  wallet_not_found: refused('There is no such wallet here.'),
  nothing_to_do: refused('The wallet is so already.'),
  freezing_underway: refused('A freezing of it was asked for before.'),
  too_few_left: refused('Two operators have to be left: enrol another one first.'),
  closing_changed: refused('It is asked for as another end now: load the page again.'),
  provider_decided: refused('The provider has reported the outcome meanwhile.'),
}

const keyRetired = refused('This key was retired, and is never accepted again. Make a new one.')

/** The sentences of outcomes that mean something else for one act than for all others, by `ACT OUTCOME`. */
const textsOfAct: Readonly<Record<string, OutcomeText>> = {
  'EnrollOperator retired': keyRetired,
  'DecideEnrollment retired': keyRetired,
}

/** An outcome without a sentence of its own is shown as its words: `refund_not_found` is "Refund not found." */
export function outcomeText(act: SignedActName, outcome: string): OutcomeText {
  const known = textsOfAct[`${act} ${outcome}`] ?? texts[outcome]
  if (known !== undefined) return known
  const words = outcome.replaceAll('_', ' ')
  return refused(
    words === ''
      ? 'The ledger gave no outcome.'
      : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
  )
}
