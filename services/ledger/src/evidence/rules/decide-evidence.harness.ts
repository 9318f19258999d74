import { decideEvidence } from './decide-evidence'
import {
  type EvidenceCommand,
  type EvidenceState,
  type Fact,
  type Intent,
  later,
  type Report,
} from './state'

export const now = 1_800_000_000_000_001
export const terms = {
  queryEverySeconds: 15,
  denyAfterSeconds: 60,
  reportHoldSeconds: 600,
  unconfirmedMaxMinor: 100_000n,
}

export const pending: Intent = {
  ...{
    id: 'pi_1',
    checkoutId: 'cs_1',
    accountId: null,
    handle: null,
    rail: 'mpesa',
  },
  ...{ phone: '254708374149', amountMinor: 50_000n, askedMinor: 50_000n },
  ...{ providerRequestId: 'ws_1', status: 'pending', event: 'acknowledged' },
  ...{ submittedAt: later(now, -90), askedAt: later(now, -10), endedAt: null },
  ...{
    deadlineAt: later(now, 30),
    nextActionAt: later(now, 20),
    queryAt: later(now, 20),
  },
  ...{
    receiptWanted: false,
    deniedCode: null,
    deniedAt: null,
    cause: null,
    providerCode: null,
  },
  ...{ settledMinor: null, receipt: null, settledAt: null, disposition: null },
  ...{ reportedAt: null, heldUntil: null, callbackRequestId: null },
}

export const failed: Partial<Intent> = {
  ...{
    status: 'failed',
    event: 'declined',
    cause: 'cancelled',
    endedAt: later(now, -9),
  },
  ...{ deadlineAt: null, nextActionAt: null, queryAt: null },
}

export const settled: Partial<Intent> = {
  ...{
    status: 'completed',
    event: 'confirmed',
    endedAt: later(now, -9),
    deadlineAt: null,
  },
  ...{
    nextActionAt: null,
    queryAt: null,
    settledMinor: 50_000n,
    receipt: 'R0',
  },
  ...{ settledAt: later(now, -9), disposition: 'merchant' },
}

/** How a case differs from a callback that passes every check, about a pending prompt. */
export interface Changes extends Omit<Partial<EvidenceState>, 'message' | 'intent'> {
  readonly message?: Partial<EvidenceState['message']>
  readonly intent?: Partial<Intent>
}

export function stateOf({ message, intent, ...others }: Changes = {}): EvidenceState {
  return {
    now,
    message: {
      ...{ id: 'pm_1', kind: 'callback', isSourceKnown: true, isBound: true },
      ...{ receivedAt: later(now, -1), result: null, strength: null },
      ...message,
    },
    intent: { ...pending, ...intent },
    payeeAccountId: 'acc_1',
    ...{
      wallet: 'open',
      isCheckoutPaid: false,
      card: undefined,
      declinedHint: 'none',
    },
    ...{
      isPosted: false,
      isRequestTaken: false,
      isPostedByHand: false,
      reports: [],
      elsewhere: [],
    },
    ...others,
  }
}

export const command = (fact: Fact): EvidenceCommand => ({
  messageId: 'pm_1',
  newIntentId: 'pi_new',
  fact,
})

export const receipt = (fact: Partial<Fact> = {}): Fact => ({
  ...{
    kind: 'receipt',
    receipt: 'R1',
    amountMinor: 50_000n,
    providerRequestId: 'ws_1',
  },
  ...fact,
})

export const decide = (fact: Fact, changes?: Changes) =>
  decideEvidence(stateOf(changes), command(fact), terms)

export const declined: Fact = {
  kind: 'declined',
  cause: 'cancelled',
  providerCode: '1032',
}
export const query = { kind: 'query_answer' } as const
export const report = (changes: Partial<Report> = {}): Report => ({
  ...{ receipt: 'R1', minor: 50_000n, strength: 'E3', paidAt: null },
  ...{ requestId: null, isPosted: false, isElsewhere: false, isClosed: false },
  ...changes,
})
