import {
  type DecideRefundOutcome,
  ProviderMessageKind,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { generateKeyPairSync } from 'node:crypto'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { lazily } from '@malipo/testing/lazily'
import type { TestLedger } from '../ledger.harness'
import { confirmed, present, uniqueReceipt } from '../payments.harness'
import { evidence } from '../evidence/evidence.harness'
import { payBill } from '../pay-bill/pay-bill.harness'
import { past } from '../time.harness'

const newIdentity = () => openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
export const [amina, brian] = [newIdentity(), newIdentity()]
export const note = 'the payer called'

/** The operators of a test file, enrolled before its tests. */
export function enrolledOperators(at: TestLedger): ReturnType<typeof operators> {
  const by = operators(at)
  beforeAll(() => by.enroll())
  return by
}

/** Operators who move money by hand, and money in each state for them to move. */
export function operators(at: Pick<TestLedger, 'database' | 'ledger' | 'pay'>) {
  const { ledger, pay } = at
  const asAmina = lazily(() => ledger.as(amina))
  const asBrian = lazily(() => ledger.as(brian))
  return {
    amina: asAmina,
    brian: asBrian,

    /** Enrols the two operators of the installation. */
    async enroll(): Promise<void> {
      await asAmina.enrollOperator({ name: 'amina', publicKey: amina.publicKey })
      await asBrian.enrollOperator({ name: 'brian', publicKey: brian.publicKey })
    },

    /** A third operator, enrolled by the first two. */
    async another(name: string, identity: OperatorIdentity = newIdentity()) {
      const { publicKey, operatorId } = identity
      await asAmina.enrollOperator({ name, publicKey })
      await asBrian.decideEnrollment({ operatorId, agreed: true })
      return { ...identity, calls: ledger.as(identity) }
    },

    /** Posts money from the Pay Bill menu that has no owner; returns its receipt as `mpesa:…`. */
    async unmatched(amountMinor = 50_000n): Promise<string> {
      const receipt = uniqueReceipt()
      const kind = 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW'
      await payBill(ledger).paid({ accountNumber: 'rent', receipt, amountMinor, kind })
      return `mpesa:${receipt}`
    },

    /** Pays a checkout with another amount than was asked for, so that the money is held. */
    async mismatch(amountMinor = 40_000n) {
      const receipt = uniqueReceipt()
      const attempt = await evidence(at).pending()
      const fact = confirmed({ receipt, amountMinor })
      await evidence(at).fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
      return { ...attempt, subject: `mpesa:${receipt}` }
    },

    async paid() {
      const receipt = uniqueReceipt()
      const attempt = await evidence(at).pending()
      await pay.paid(attempt, { receipt })
      return { ...attempt, subject: `mpesa:${receipt}` }
    },

    /** A refund that an operator asked for. */
    async requestedRefund(
      subject: string,
      sentBy: RefundSender = RefundSender.US,
    ): Promise<string> {
      return present((await asAmina.askRefund({ subject, sentBy, note })).refundId)
    },

    async agreed(refundId: string): Promise<DecideRefundOutcome> {
      return (await asBrian.decideRefund({ refundId, agreed: true, note })).outcome
    },

    /** A refund that the provider has accepted, with the provider's id. */
    async sent(subject: string, providerRequestId = 'AG_1') {
      const refundId = await this.requestedRefund(subject)
      await this.agreed(refundId)
      const order = present((await ledger.beginRefund({ refundId })).order)
      const outcome = { $case: 'accepted', value: { providerRequestId } } as const
      await ledger.recordRefund({ refundId, outcome })
      return { refundId, ...order }
    },

    /** A refund that was sent three days ago, and is no longer asked about. */
    async undecided(subject: string) {
      const sent = await this.sent(subject)
      const { refundId } = sent
      await at.database.pool.query(
        `UPDATE refunds SET submitted_at = submitted_at - interval '73 hours', next_action_at = now() WHERE id = $1`,
        [refundId],
      )
      await ledger.beginRefundQuery({ refundId })
      return sent
    },

    /** Stores and applies a message that came to an address of a refund. */
    async messageArrives(
      token: string,
      fact: Parameters<typeof ledger.applyEvidence>[0]['fact'],
      changes: { sourceKnown?: boolean; body?: Buffer } = {},
    ) {
      const messageId = await pay.callback(token, changes)
      return ledger.applyEvidence({ messageId, fact })
    },

    /** Takes back what a test posted by itself of held money, so that every invariant holds. */
    async unpost(subject: string): Promise<void> {
      await past(at.database, async (query) => {
        const keys = [`placed:${subject}`, `refunded:${subject}`]
        await query('DELETE FROM transfers WHERE event_key = ANY ($1)', [keys])
        const open = 'UPDATE suspense_items SET is_closed = false WHERE event_key = $1'
        await query(open, [`receipt:${subject}`])
      })
    },

    async story(subject: string) {
      return ledger.readReceipt({ subject })
    },

    async holder(subject: string): Promise<string | undefined> {
      return (await ledger.readReceipt({ subject })).holder
    },

    async balance(account: string): Promise<string> {
      const { rows } = await at.database.pool.query<{ sum: string }>(
        `SELECT sum(CASE credit WHEN $1 THEN minor ELSE -minor END) FROM transfers WHERE $1 IN (credit, debit)`,
        [account],
      )
      return present(rows[0]).sum
    },
  }
}
