import { generateKeyPairSync } from 'node:crypto'
import { EnrollmentOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { amina, brian, operators } from './operators.harness'

let at: TestLedger

beforeEach(async () => {
  at = await openLedger()
})

afterEach(() => at.close())

const newIdentity = () => openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)

/** Enrols a key that signs for itself, as at installation. */
async function enroll(name: string, identity = newIdentity()) {
  const request = { name, publicKey: identity.publicKey }
  return (await at.ledger.as(identity).enrollOperator(request)).outcome
}

test('the first two operators enrol themselves, and a third cannot', async () => {
  expect(await enroll('amina', amina)).toBe(EnrollmentOutcome.ENROLLED)
  expect(await enroll('amina', amina)).toBe(EnrollmentOutcome.ENROLLED)
  expect(await enroll('brian', brian)).toBe(EnrollmentOutcome.ENROLLED)
  expect(await enroll('carol')).toBe(EnrollmentOutcome.NEEDS_ENROLLED)
  const { operators: all } = await at.ledger.listOperators({})
  expect(all).toMatchObject([
    { name: 'amina', status: 'enrolled' },
    { name: 'brian', status: 'enrolled' },
  ])
})

/** Enrols, and repeats the call when the ledger refuses it because the database of a busy machine answers too late. */
function enrollInTheEnd(name: string): Promise<EnrollmentOutcome> {
  const identity = newIdentity()
  const enrollNow = () =>
    enroll(name, identity).catch((error: unknown) => {
      if (error instanceof Fault && error.reason === 'ledger_unavailable') return undefined
      throw error
    })
  return eventually('the database answers', enrollNow)
}

test('ten first enrollments at once make two operators', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, index) => enrollInTheEnd(`operator-${String(index)}`)),
  )
  expect(outcomes.filter((one) => one === EnrollmentOutcome.ENROLLED)).toHaveLength(2)
  expect((await at.ledger.listOperators({})).operators).toHaveLength(2)
  // The database itself refuses a third founder, also one that is inserted past the ledger.
  const key = newIdentity()
  const sql = `INSERT INTO operators (id, name, public_key, founder, asked_at, enrolled_at)
    VALUES ($1, 'carol', $2, $3, now(), now())`
  const insert = (founder: number | null) =>
    at.database.pool.query(sql, [key.operatorId, key.publicKey, founder])
  await expect(insert(1)).rejects.toMatchObject({ constraint: 'operators_founder_key' })
  await expect(insert(3)).rejects.toMatchObject({ constraint: 'operators_founder_known' })
  await expect(insert(null)).rejects.toMatchObject({ constraint: 'operators_enrolled_by_two' })
})

test('refuses a name that is taken in another spelling, and a malformed one', async () => {
  await enroll('amina')
  for (const name of ['Amina', ' AMINA ', 'amina']) {
    expect(await enroll(name)).toBe(EnrollmentOutcome.NAME_TAKEN)
  }
  for (const name of ['аmina', 'a', '', 'am ina', '-amina', 'a'.repeat(33), 'ａmina', 'amina/..']) {
    await expect(enroll(name)).rejects.toMatchObject({
      reason: 'invalid_request',
      facts: { field: 'name' },
    })
  }
})

test('refuses a request that its key did not sign', async () => {
  const [own, other] = [newIdentity(), newIdentity()]
  const request = { name: 'amina', publicKey: own.publicKey }
  const unsigned = { facts: { grpcStatus: 16 } }
  await expect(at.ledger.enrollOperator(request)).rejects.toMatchObject(unsigned)
  await expect(at.ledger.as(other).enrollOperator(request)).rejects.toMatchObject(unsigned)
  expect((await at.ledger.listOperators({})).operators).toEqual([])
})

test('an operator cannot approve its own request by enrolling its own second key', async () => {
  const by = operators(at)
  await by.enroll()
  const second = newIdentity()
  const request = { name: 'amina2', publicKey: second.publicKey }
  expect(await by.amina.enrollOperator(request)).toEqual({
    outcome: EnrollmentOutcome.ASKED,
    operatorId: second.operatorId,
  })
  const decide = { operatorId: second.operatorId, agreed: true }
  expect((await by.amina.decideEnrollment(decide)).outcome).toBe(EnrollmentOutcome.NEEDS_ANOTHER)
  const bySecond = at.ledger.as(second).decideEnrollment(decide)
  await expect(bySecond).rejects.toMatchObject({ facts: { grpcStatus: 16 } })
  const sql = 'UPDATE operators SET enrolled_by = asked_by, enrolled_at = now() WHERE id = $1'
  await expect(at.database.pool.query(sql, [second.operatorId])).rejects.toMatchObject({
    constraint: 'operators_enrolled_by_two',
  })
})

test('a person has one key, however the name of the person is spelled, until that key is retired', async () => {
  const by = operators(at)
  await by.enroll()
  const ask = (name: string, subject: string, identity = newIdentity()) =>
    by.amina.enrollOperator({ name, publicKey: identity.publicKey, subject })
  const first = newIdentity()
  expect((await ask('asha', '00u1Asha', first)).outcome).toBe(EnrollmentOutcome.ASKED)
  for (const spelled of ['00u1Asha', ' 00U1ASHA ', '００u1asha']) {
    expect((await ask('asha2', spelled)).outcome).toBe(EnrollmentOutcome.SUBJECT_TAKEN)
  }
  // The second operator was enrolled without a subject, so its name is its subject.
  expect((await ask('carol', 'brian')).outcome).toBe(EnrollmentOutcome.SUBJECT_TAKEN)
  for (const subject of ['', 'а', 'a b', 'x'.repeat(256)]) {
    await expect(ask('dalia', subject)).rejects.toMatchObject({ facts: { field: 'subject' } })
  }
  const agree = { operatorId: first.operatorId, agreed: true }
  expect((await by.brian.decideEnrollment(agree)).outcome).toBe(EnrollmentOutcome.ENROLLED)
  expect((await ask('asha2', '00u1asha')).outcome).toBe(EnrollmentOutcome.SUBJECT_TAKEN)
  await by.amina.askRetirement({ operatorId: first.operatorId })
  await by.brian.decideRetirement(agree)
  expect((await ask('asha2', '00u1asha')).outcome).toBe(EnrollmentOutcome.ASKED)
  const { operators: all } = await at.ledger.listOperators({})
  expect(all.map(({ name, subject }) => `${name} ${subject}`)).toEqual([
    ...['amina amina', 'brian brian', 'asha 00u1asha', 'asha2 00u1asha'],
  ])
  // The database itself refuses a second key of one person, and a subject in capital letters.
  const key = newIdentity()
  const sql = `INSERT INTO operators (id, name, subject, public_key, asked_by, asked_at) VALUES ($1, 'asha3', $3, $2, $4, now())`
  const insert = (subject: string) =>
    at.database.pool.query(sql, [key.operatorId, key.publicKey, subject, amina.operatorId])
  await expect(insert('00u1asha')).rejects.toMatchObject({ constraint: 'operators_subject_key' })
  await expect(insert('00u1ASHA')).rejects.toMatchObject({ constraint: 'operators_subject_shape' })
})
