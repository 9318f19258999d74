import fc from 'fast-check'
import { intentStatuses } from '../../intents/rules/intent'
import { dispositions } from '../../journal/rules/postings'
import { messageKinds, strengths } from './evidence'
import { decideEvidence } from './decide-evidence'
import type { EvidenceState, Fact } from './state'
import { settled, declined, receipt, stateOf, command, terms } from './decide-evidence.harness'

const anyFact = fc.constantFrom<Fact>(
  receipt(),
  receipt({ amountMinor: 49_900n }),
  receipt({ amountMinor: 150_000n }),
  receipt({ providerRequestId: 'ws_2' }),
  { kind: 'paid', providerRequestId: 'ws_1', amountMinor: 50_000n },
  { ...declined, providerRequestId: 'ws_1' },
  { kind: 'not_found' },
  { kind: 'undecided' },
  { kind: 'unreadable' },
)

const anyState = fc
  .record({
    kind: fc.constantFrom(...messageKinds),
    isSourceKnown: fc.boolean(),
    isBound: fc.boolean(),
    status: fc.constantFrom(...intentStatuses),
    settledAs: fc.constantFrom(...dispositions),
    receiptWanted: fc.boolean(),
    wallet: fc.constantFrom('open', 'frozen'),
    isCheckoutPaid: fc.boolean(),
    declinedHint: fc.constantFrom('none', 'unknown_source', 'known_source'),
    isPosted: fc.boolean(),
    isRequestTaken: fc.boolean(),
    reports: fc.array(
      fc.record({
        receipt: fc.constantFrom('', 'R1', 'R2'),
        strength: fc.constantFrom(...strengths),
        minor: fc.constantFrom(50_000n, 1n),
        requestId: fc.constantFrom('ws_1', 'ws_2', null),
        isPosted: fc.boolean(),
        isElsewhere: fc.boolean(),
        isClosed: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ kind, isSourceKnown, isBound, status, settledAs, receiptWanted, reports, ...others }) => {
    const isSettled = status === 'completed' || status === 'reversed'
    return stateOf({
      message: { kind, isSourceKnown, isBound },
      intent: {
        ...(isSettled && { ...settled, disposition: settledAs }),
        ...{ status, receiptWanted },
      },
      reports: reports.map((one) => ({ ...one, paidAt: null })),
      ...(others as Partial<EvidenceState>),
    })
  })

const amountOf = ({ amountMinor = 50_000n }: Fact) => amountMinor

test('money is posted in full and once, and only by strong evidence', () => {
  fc.assert(
    fc.property(anyState, anyFact, (state, fact) => {
      const { applied, writes } = decideEvidence(state, command(fact), terms)
      const transfers = writes?.transfers ?? []
      const posted = transfers.reduce((sum, { minor }) => sum + minor, 0n)
      expect(transfers.length > 0).toBe(applied.result === 'settled')
      if (applied.result !== 'settled') return
      expect(['E3', 'E4']).toContain(applied.strength)
      expect(posted).toBe(amountOf(fact))
      expect(state.isPosted && fact.kind === 'receipt').toBe(false)
      expect((writes?.matched === undefined) === (state.intent.settledAt === null)).toBe(true)
      const isFree = !state.isCheckoutPaid && state.wallet === 'open' && posted === 50_000n
      expect(applied.disposition === 'merchant').toBe(isFree)
    }),
    { numRuns: 5_000 },
  )
})

test('a settled intent keeps its receipt, and a status changes only by a settlement or a "declined"', () => {
  fc.assert(
    fc.property(anyState, anyFact, (state, fact) => {
      const { applied, writes } = decideEvidence(state, command(fact), terms)
      const { settledAt, settledMinor, disposition } = state.intent
      const kept = { settledAt, settledMinor, disposition }
      if (settledAt !== null) expect(writes?.intent ?? kept).toMatchObject(kept)
      const isMoved = applied.status !== state.intent.status
      if (isMoved) expect(['settled', 'failed']).toContain(applied.result)
    }),
    { numRuns: 5_000 },
  )
})
