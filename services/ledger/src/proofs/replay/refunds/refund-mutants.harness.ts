import { askRefundStatements } from '../../../refunds/store/ask-refund'
import { claimRefundsStatements } from '../../../refunds/store/claim-refunds'
import { saveRefundsStatement } from '../../../refunds/store/save-refunds'
import { storeRefundMessageStatements } from '../../../refunds/store/store-refund-message'
import type { Mutant } from '../mutants.harness'

const save = [saveRefundsStatement]
const ask = [askRefundStatements.save]
const claim = [claimRefundsStatements.save]
const keep = [storeRefundMessageStatements.saveKept]
const repeat = [storeRefundMessageStatements.saveRepeated]

/** Bugs for the statements of `refunds/store/` that save. */
export const refundStatementMutants: Readonly<Record<string, Mutant>> = {
  'a shilling more goes back than came': {
    world: ['ke', 1],
    ...{ statements: save, from: 't.minor, t."eventAt"', to: 't.minor + 100, t."eventAt"' },
  },
  'money goes back the other way': {
    world: ['ke', 1],
    ...{ statements: save, from: 't.debit, t.credit, d.', to: 't.credit, t.debit, d.' },
  },
  'a payment whose money went back stays paid': {
    world: ['ke', 1],
    ...{ statements: save, from: 'n.status, n.event', to: 'i.status, i.event' },
  },
  'a merchant is not notified of money that went back': {
    world: ['ke', 1],
    ...{ statements: save, from: "-> 'paymentEvents'", to: "-> 'none'" },
  },
  'a message about a refund loses its fact': {
    world: ['ke', 1],
    ...{ statements: save, from: 'SELECT a.fact, a.strength', to: 'SELECT NULL, a.strength' },
  },
  'what a late yes withdraws is not withdrawn': {
    world: ['ke', 16],
    ...{ statements: save, from: "-> 'withdrawn'", to: "-> 'none'" },
  },
  'what a late yes withdraws has ended before': {
    world: ['ke', 16],
    ...{
      statements: save,
      from: `'withdrawn', ended_at = $1`,
      to: `'withdrawn', ended_at = r.asked_at`,
    },
  },
  'a refund forgets who agreed to it': {
    world: ['ke', 1],
    ...{ statements: save, from: 'n."decidedBy"', to: 'r.decided_by' },
  },
  'a refund forgets when it was agreed to': {
    world: ['ke', 1],
    ...{ statements: save, from: 'n."decidedAt"', to: 'r.decided_at' },
  },
  'a refund forgets when it was sent': {
    world: ['ke', 1],
    ...{ statements: save, from: 'n."submittedAt"', to: 'r.submitted_at' },
  },
  'the name of a refund at its provider is not kept': {
    world: ['ke', 1],
    ...{ statements: save, from: 'n."providerRequestId"', to: 'r.provider_request_id' },
  },
  'why a refund was refused is not kept': {
    world: ['ke', 1],
    ...{
      statements: save,
      from: 'provider_code = n."providerCode"',
      to: 'provider_code = r.provider_code',
    },
  },
  'a refund that ended has no end': {
    world: ['ke', 1],
    ...{ statements: save, from: 'ended_at = n."endedAt"', to: 'ended_at = r.ended_at' },
  },
  'a refund stays due': {
    world: ['ke', 1],
    ...{
      statements: save,
      from: 'next_action_at = n."nextActionAt"',
      to: 'next_action_at = r.next_action_at',
    },
  },
  'a closing is not written down': {
    world: ['ke', 9],
    statements: save,
    from: 'n.closing, closing_asked_by = n."closingAskedBy"',
    to: 'r.closing, closing_asked_by = r.closing_asked_by',
  },
  'a closing forgets who agreed to it': {
    world: ['ke', 9],
    ...{ statements: save, from: 'n."closedBy"', to: 'r.closed_by' },
  },
  'what an operator did about a refund is on no list': {
    world: ['ke', 1],
    ...{ statements: save, from: "-> 'actions'", to: "-> 'none'" },
  },
  'more is asked to go back than came': {
    world: ['ke', 1],
    ...{ statements: ask, from: 'a.minor, a."sentBy"', to: 'a.minor + 100, a."sentBy"' },
  },
  'what the provider did by itself is kept as ours to send': {
    world: ['ke', 2],
    ...{ statements: ask, from: 'a.minor, a."sentBy"', to: `a.minor, 'us'` },
  },
  'a request for a refund has no reason': {
    world: ['ke', 1],
    ...{ statements: ask, from: 'a.subject, a.note)\n', to: 'a.subject, a.did)\n' },
  },
  'a claim leases a refund for no time': {
    world: ['ke', 1],
    ...{ statements: claim, from: '($1::jsonb ->> r.id)::timestamptz', to: 'r.next_action_at' },
  },
  'an unlisted address is kept as a listed one': {
    world: ['ke', 1],
    ...{ statements: keep, from: '$7, $8, $9', to: '$7, $8 OR true, $9' },
  },
  'a message that comes again is not counted': {
    world: ['ke', 1],
    ...{ statements: repeat, from: 'deliveries + 1', to: 'deliveries' },
  },
}
