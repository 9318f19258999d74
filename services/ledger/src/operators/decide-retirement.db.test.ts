import {
  AskRefundClosingOutcome,
  AskRefundOutcome,
  EnrollmentOutcome,
  FreezingOutcome,
  PlacementOutcome,
  RefundEnd,
  RefundSender,
  RetirementOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { generateKeyPairSync } from 'node:crypto'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { amina, brian, enrolledOperators, note } from './operators.harness'
import { reports } from '../reports/report-closings.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('two operators retire a third: its key acts no more, and its name may be given to a new key', async () => {
  const { operatorId, publicKey, calls } = await by.another('carol')
  const decision = { operatorId, agreed: true }
  expect((await by.brian.decideRetirement(decision)).outcome).toBe(RetirementOutcome.NOT_ASKED)
  expect((await by.amina.askRetirement({ operatorId })).outcome).toBe(RetirementOutcome.ASKED)
  const subject = await by.unmatched()
  const refundId = await by.requestedRefund(subject)
  expect((await by.amina.decideRetirement(decision)).outcome).toBe(RetirementOutcome.NEEDS_ANOTHER)
  expect((await by.brian.decideRetirement(decision)).outcome).toBe(RetirementOutcome.RETIRED)
  await expect(calls.decideRefund({ refundId, agreed: true, note })).rejects.toMatchObject({
    facts: { grpcStatus: 16 },
  })
  const again = await by.amina.enrollOperator({ name: 'carol2', publicKey })
  expect(again.outcome).toBe(EnrollmentOutcome.RETIRED)
  const second = await by.another('carol')
  const { operators: all } = await at.ledger.listOperators({})
  expect(all.slice(2)).toMatchObject([
    {
      operatorId,
      name: 'carol',
      status: 'retired',
      retirementAskedBy: 'amina',
      retiredBy: 'brian',
    },
    { operatorId: second.operatorId, name: 'carol', status: 'enrolled' },
  ])
})

test('a retirement that is withdrawn leaves the operator as before', async () => {
  const { operatorId, calls } = await by.another('dalia')
  await by.amina.askRetirement({ operatorId })
  const { outcome } = await calls.decideRetirement({ operatorId, agreed: false })
  expect(outcome).toBe(RetirementOutcome.WITHDRAWN)
  expect((await at.ledger.listOperators({})).operators.at(-1)?.status).toBe('enrolled')
})

test('all pending requests of a retired operator are withdrawn, and another operator can make them anew', async () => {
  const { operatorId, calls: asker } = await by.another('esther')
  const other = await by.another('faith')
  const accountId = await at.pay.merchant()
  const [subject, refunded] = [await by.unmatched(), await by.unmatched()]
  const { refundId } = await by.undecided(await by.unmatched())
  const { subject: reported } = await reports(at).reported()
  const { publicKey } = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  const ask = async (who: typeof asker) => {
    const owner = { $case: 'accountId', value: accountId } as const
    return [
      await who.askPlacement({ subject, owner, note }),
      await who.askRefund({ subject: refunded, sentBy: RefundSender.US, note }),
      await who.askRefundClosing({ refundId, end: RefundEnd.PAID, note }),
      await who.askFreezing({ accountId, frozen: true, note }),
      await who.enrollOperator({ name: 'grace', publicKey }),
      await who.askRetirement({ operatorId: other.operatorId }),
    ].map(({ outcome }) => outcome)
  }
  const requests = [
    PlacementOutcome.ASKED,
    AskRefundOutcome.ASKED,
    AskRefundClosingOutcome.ASKED,
    FreezingOutcome.ASKED,
    EnrollmentOutcome.ASKED,
    RetirementOutcome.ASKED,
  ]
  expect(await ask(asker)).toEqual(requests)
  await asker.askReportClosing({ subject: reported, note })

  await by.amina.askRetirement({ operatorId })
  const { outcome } = await by.brian.decideRetirement({ operatorId, agreed: true })
  expect(outcome).toBe(RetirementOutcome.RETIRED)

  const { actions } = await by.story(subject)
  expect(actions.at(-1)).toMatchObject({ did: 'placement_withdrawn', operator: 'brian' })
  const { actions: ofRefund } = await by.story(refunded)
  expect(ofRefund.at(-1)).toMatchObject({ did: 'refund_withdrawn', operator: 'brian' })
  const { operators: listed } = await at.ledger.listOperators({})
  expect(listed.map(({ name }) => name)).not.toContain('grace')
  expect(await ask(by.amina)).toEqual(requests)
  await reports(at).close(reported)
})

/** An operator that Amina asks to retire, and a wallet. */
async function leaving(name: string) {
  const { operatorId, calls } = await by.another(name)
  await by.amina.askRetirement({ operatorId })
  const retire = async () => (await by.brian.decideRetirement({ operatorId, agreed: true })).outcome
  return { operatorId, calls, retire, accountId: await at.pay.merchant() }
}

/** The recorded operator actions about a wallet or an operator, oldest first. */
async function doneAbout(subject: string): Promise<readonly string[]> {
  const { rows } = await at.database.pool.query<{ did: string }>(
    'SELECT did FROM operator_actions WHERE subject = $1 ORDER BY action',
    [subject],
  )
  return rows.map(({ did }) => did)
}

test('a request that an operator makes while being retired is withdrawn too', async () => {
  const { operatorId, accountId, retire } = await leaving('gloria')
  const statement = `INSERT INTO freezings (id, account_id, is_frozen, status, asked_by, asked_at)
    VALUES ('fr_' || repeat('0', 24), $1, true, 'asked', $2, now())`
  const outcome = await meanwhile(at, [statement, [accountId, operatorId]], retire)
  expect(outcome).toBe(RetirementOutcome.RETIRED)
  expect(await doneAbout(accountId)).toEqual(['freezing_withdrawn'])
})

test('a request of an operator that has just been retired is refused', async () => {
  const { operatorId, accountId, calls } = await leaving('helen')
  const retired = `UPDATE operators SET retired_by = $2, retired_at = now()
    WHERE id = (SELECT id FROM operators WHERE id = $1 FOR UPDATE)`
  const late = meanwhile(at, [retired, [operatorId, brian.operatorId]], () =>
    calls.askFreezing({ accountId, frozen: true, note }),
  )
  await expect(late).rejects.toMatchObject({ reason: 'internal' })
  expect(await doneAbout(accountId)).toEqual([])
})

test('a freezing that is approved while its requester is being retired is not withdrawn', async () => {
  const { accountId, calls, retire } = await leaving('irene')
  await calls.askFreezing({ accountId, frozen: true, note })
  const done = "UPDATE freezings SET status = 'done', decided_by = $2 WHERE account_id = $1"
  const outcome = await meanwhile(at, [done, [accountId, amina.operatorId]], retire)
  expect(outcome).toBe(RetirementOutcome.RETIRED)
  expect(await doneAbout(accountId)).toEqual(['freezing_asked'])
})

test('a retirement that another operator withdraws at the same moment is not carried out', async () => {
  const { operatorId, retire } = await leaving('joan')
  const withdrawn = 'UPDATE operators SET retirement_asked_by = NULL WHERE id = $1'
  expect(await meanwhile(at, [withdrawn, [operatorId]], retire)).toBe(RetirementOutcome.NOT_ASKED)
})

test('a retirement that another operator requests at the same moment is recorded once', async () => {
  const { operatorId } = await by.another('linda')
  const statement = 'UPDATE operators SET retirement_asked_by = $2 WHERE id = $1'
  const { outcome } = await meanwhile(at, [statement, [operatorId, amina.operatorId]], () =>
    by.brian.askRetirement({ operatorId }),
  )
  expect(outcome).toBe(RetirementOutcome.ASKED)
  expect(await doneAbout(operatorId)).toEqual(['enrollment_asked', 'enrolled'])
})

test('refuses the second of two retirements at the same moment when fewer than two operators would be left', async () => {
  const { retire } = await leaving('karen')
  const others = `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('operators', 0)))
    UPDATE operators SET retirement_asked_by = $1, retired_by = $2, retired_at = now()
    FROM held WHERE enrolled_at IS NOT NULL AND retired_at IS NULL AND name <> ALL ('{brian,karen}')`
  const outcome = await meanwhile(at, [others, [amina.operatorId, brian.operatorId]], retire)
  expect(outcome).toBe(RetirementOutcome.TOO_FEW_LEFT)
})
