import { absenceOf } from '../../evidence/rules/evidence'
import { core } from './core.harness'
import { SimulatedLedger } from './ledger.harness'
import { plant } from './rules.harness'
import { type Intent, never, ofHandle, type Transfer } from './tables.harness'
import type { Species } from './world.harness'

function withLedger(Ledger: Species['Ledger']): Species {
  return { core, Ledger }
}

class ForgetsTheFee extends SimulatedLedger {
  protected override evidenceState(...args: Parameters<SimulatedLedger['evidenceState']>) {
    const state = super.evidenceState(...args)
    return state && { ...state, card: state.card && { ...state.card, feeMinor: 0n } }
  }
}

class GivesAwayTheFee extends SimulatedLedger {
  protected override post(transfer: Transfer): void {
    const payee = this.payeeOf(transfer.checkoutId ?? 0)?.accountId ?? ''
    super.post(transfer.leg > 0 ? { ...transfer, credit: `wallet:${payee}` } : transfer)
  }
}

class BelievesBrowsers extends SimulatedLedger {
  protected override evidenceState(...args: Parameters<SimulatedLedger['evidenceState']>) {
    const state = super.evidenceState(...args)
    if (state?.declinedHint !== 'unknown_source') return state
    return { ...state, declinedHint: 'known_source' as const }
  }
}

class ClosesPagesAtOnce extends SimulatedLedger {
  protected override evidenceState(...args: Parameters<SimulatedLedger['evidenceState']>) {
    const state = super.evidenceState(...args)
    return state && { ...state, card: state.card && { ...state.card, expiresAt: 0 } }
  }
}

class GivesUpPagesLikePrompts extends SimulatedLedger {
  override beginSubmit(intentId: number): boolean {
    const isTaken = super.beginSubmit(intentId)
    const intent = this.intents[intentId]
    if (isTaken && intent?.page !== undefined) intent.deadlineAt = this.now + 150
    return isTaken
  }
}

class StartsBesideAnother extends SimulatedLedger {
  override inFlight(checkoutId: number): Intent | undefined {
    const flying = super.inFlight(checkoutId)
    return flying?.page === undefined ? flying : undefined
  }
}

class PaysHandlesTwice extends SimulatedLedger {
  protected override loaded(intent: Intent) {
    const settled = intent.checkoutId === ofHandle ? undefined : intent.settled
    return super.loaded({ ...intent, settled })
  }
}

class KeepsHandlesWaiting extends SimulatedLedger {
  override beginQuery(intentId: number): boolean {
    const intent = this.intents[intentId]
    if (intent?.checkoutId === ofHandle && intent.endedAt !== never) return false
    return super.beginQuery(intentId)
  }
}

class ForgetsTheKeysOfHandles extends SimulatedLedger {
  protected override bind(
    name: string,
    ...bound: [Parameters<SimulatedLedger['bind']>[1], Intent]
  ) {
    if (bound[0].checkoutId !== ofHandle) super.bind(name, ...bound)
  }
}

class PaysFrozenHandles extends SimulatedLedger {
  protected override evidenceState(...args: Parameters<SimulatedLedger['evidenceState']>) {
    const state = super.evidenceState(...args)
    return (
      state && (args[1].checkoutId === ofHandle ? { ...state, wallet: 'open' as const } : state)
    )
  }
}

/** Planted bugs of what is paid by card, or to a handle. */
export const cardMutants: Readonly<Record<string, Species>> = {
  'the fee of a card is not asked for': withLedger(ForgetsTheFee),
  'the merchant gets the fee of a card': withLedger(GivesAwayTheFee),
  'a browser that leaves a card page is believed': withLedger(BelievesBrowsers),
  'a declined card ends an attempt whose page is open': withLedger(ClosesPagesAtOnce),
  'a card page is given up like a prompt': withLedger(GivesUpPagesLikePrompts),
  'an attempt begins beside a card page': withLedger(StartsBesideAnother),
  '"not found" ends a card page': {
    ...{ core, Ledger: SimulatedLedger },
    rules: [plant(absenceOf.page, { none: 'decline' })],
  },
  'an attempt to pay a handle takes money twice': withLedger(PaysHandlesTwice),
  'no query about an expired attempt to pay a handle': withLedger(KeepsHandlesWaiting),
  'the key of a payment to a handle is forgotten': withLedger(ForgetsTheKeysOfHandles),
  'the frozen wallet of a handle takes money': withLedger(PaysFrozenHandles),
}
