import { generateKeyPairSync } from 'node:crypto'
import { EnrollmentOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { enrolledOperators, note } from './operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

async function requestEnrollment(name: string) {
  const identity = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  await by.amina.enrollOperator({ name, publicKey: identity.publicKey })
  return identity
}
const decide = async (operatorId: string, agreed: boolean) =>
  (await by.brian.decideEnrollment({ operatorId, agreed })).outcome

test('a new operator may act once one operator has asked for the enrollment and another has agreed', async () => {
  const carol = await requestEnrollment('carol')
  expect(await decide(carol.operatorId, true)).toBe(EnrollmentOutcome.ENROLLED)
  const subject = await by.unmatched()
  const refundId = await by.requestedRefund(subject)
  await at.ledger.as(carol).decideRefund({ refundId, agreed: true, note })
  expect((await by.story(subject)).actions[1]).toMatchObject({ operator: 'carol' })
  expect((await at.ledger.listOperators({})).operators[2]).toMatchObject({
    name: 'carol',
    askedBy: 'amina',
    enrolledBy: 'brian',
  })
})

test('after a withdrawn enrollment the name can be given to another key', async () => {
  const dalia = await requestEnrollment('dalia')
  expect(await decide(dalia.operatorId, false)).toBe(EnrollmentOutcome.WITHDRAWN)
  expect(await decide(dalia.operatorId, true)).toBe(EnrollmentOutcome.OPERATOR_NOT_FOUND)
  expect(await decide((await requestEnrollment('dalia')).operatorId, true)).toBe(
    EnrollmentOutcome.ENROLLED,
  )
})

test('a withdrawal does not remove an operator that another approval enrols at that moment', async () => {
  const { operatorId: other } = await by.another('faith')
  const grace = await requestEnrollment('grace')
  const enrolled = 'UPDATE operators SET enrolled_by = $2, enrolled_at = now() WHERE id = $1'
  const outcome = await meanwhile(at, [enrolled, [grace.operatorId, other]], () =>
    decide(grace.operatorId, false),
  )
  expect(outcome).toBe(EnrollmentOutcome.ENROLLED)
})

test('an approval changes nothing of an operator that another approval enrols at that moment', async () => {
  const { operatorId: other } = await by.another('hana')
  const { operatorId } = await requestEnrollment('ivy')
  const enrolled = 'UPDATE operators SET enrolled_by = $2, enrolled_at = now() WHERE id = $1'
  await meanwhile(at, [enrolled, [operatorId, other]], () => decide(operatorId, true))
  const { rows } = await at.database.pool.query(
    'SELECT enrolled_by AS by FROM operators WHERE id = $1',
    [operatorId],
  )
  expect(rows).toEqual([{ by: other }])
})
