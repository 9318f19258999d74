import { generateKeyPairSync } from 'node:crypto'
import { LedgerServiceClient } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openTestClient } from '@malipo/runtime/calls.harness'
import { systemClock } from '@malipo/runtime/clock'
import { openCall } from '@malipo/runtime/grpc'
import { openOperatorIdentity, type SignedAct } from '@malipo/runtime/operator-signature'
import { ledgerOfFile } from '../ledger.harness'
import { ledgerCallers } from '../methods'
import { amina, brian, enrolledOperators } from './operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

let nonces = 0

/** An act that an operator signs now for the auth service. */
function act(changes: Partial<SignedAct> = {}, identity = amina): SignedAct {
  nonces += 1
  return identity.sign('auth', {
    method: '/accounts.v1.AccountService/ForgetPin',
    request: Buffer.from('mama-mboga'),
    signedAt: minutesFromNow(0),
    nonce: String(nonces).padStart(16, '0'),
    ...changes,
  })
}
const minutesFromNow = (minutes: number) =>
  new Date(systemClock.now() + minutes * 60_000).toISOString()
const refused = (because: RegExp) => ({
  facts: { grpcStatus: 16 },
  cause: { details: expect.stringMatching(because) },
})

test('an act of an enrolled operator is accepted once, and stored as it was signed', async () => {
  const signed = act()
  expect(await at.ledger.acceptAct(signed)).toEqual({
    operatorId: amina.operatorId,
    name: 'amina',
  })
  await expect(at.ledger.acceptAct(signed)).rejects.toMatchObject(refused(/used before/))
  const { rows } = await at.database.pool.query(
    'SELECT operator, method, signature FROM operator_acts WHERE nonce = $1',
    [signed.nonce],
  )
  expect(rows).toEqual([
    { operator: amina.operatorId, method: signed.method, signature: signed.signature },
  ])
  await expect(at.database.pool.query('DELETE FROM operator_acts')).rejects.toThrow(
    /only ever added/,
  )
})

test('the answer to an act says whether its asker is enrolled, from enrolment to retirement', async () => {
  const { operatorId, publicKey } = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  const decision = { operatorId, agreed: true }
  const isEnrolled = async (askedBy?: string) => {
    const accepted = await at.ledger.acceptAct({
      ...act(),
      ...(askedBy !== undefined && { askedBy }),
    })
    return accepted.askerIsEnrolled
  }
  expect(await isEnrolled()).toBeUndefined()
  expect(await isEnrolled(brian.operatorId)).toBe(true)
  expect(await isEnrolled(operatorId)).toBe(false)
  await by.amina.enrollOperator({ name: 'carol', publicKey })
  expect(await isEnrolled(operatorId)).toBe(false)
  await by.brian.decideEnrollment(decision)
  await by.amina.askRetirement({ operatorId })
  expect(await isEnrolled(operatorId)).toBe(true)
  await by.brian.decideRetirement(decision)
  expect(await isEnrolled(operatorId)).toBe(false)
})

test('an act that is submitted twenty times at the same moment is accepted once', async () => {
  const signed = act()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => at.ledger.acceptAct(signed)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test.each([-6, 6])('refuses an act that was signed %p minutes from now', async (minutes) => {
  const signed = act({ signedAt: minutesFromNow(minutes) })
  await expect(at.ledger.acceptAct(signed)).rejects.toMatchObject(refused(/5 minutes/))
})

test('refuses an act whose signing date does not exist, such as 31 November', async () => {
  const signed = act({ signedAt: '2026-11-31T06:00:00.000Z' })
  await expect(at.ledger.acceptAct(signed)).rejects.toMatchObject(refused(/not well formed/))
})

test.each<[string, Partial<SignedAct>]>([
  ['request', { request: Buffer.from('another-request') }],
  ['method', { method: '/ledger.v1.LedgerService/DecideRefund' }],
  ['time', { signedAt: minutesFromNow(1) }],
  ['nonce', { nonce: 'f'.repeat(16) }],
  ['signature', { signature: Buffer.alloc(64) }],
])('refuses an act whose %s was changed', async (_, change) => {
  await expect(at.ledger.acceptAct({ ...act(), ...change })).rejects.toMatchObject(
    refused(/another request/),
  )
})

test('refuses an act that was signed for the ledger and not for auth, and one of a key that is not enrolled', async () => {
  const { method, request, signedAt, nonce } = act()
  const forLedger = amina.sign('ke', { method, request, signedAt, nonce })
  await expect(at.ledger.acceptAct(forLedger)).rejects.toMatchObject(refused(/another request/))
  const unknown = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  await expect(at.ledger.acceptAct(act({}, unknown))).rejects.toMatchObject(
    refused(/not an enrolled/),
  )
})

/** The methods by which operators read and change nothing. */
const reads = [
  'listSuspense',
  'readReceipt',
  'listReports',
  'listOperators',
  'reconcileDay',
  'audit',
  'listQueue',
  'findPayments',
  'readPayment',
  'readProviderHealth',
  'listReconReports',
  'listDayReceipts',
  'listActions',
]
const acts = Object.entries<readonly string[]>(ledgerCallers('ke'))
  .filter(([method, callers]) => callers.includes('operator') && !reads.includes(method))
  .map(([method]) => method)
// A first enrollment is signed by the key that is enrolled: see enroll-operator.db.test.ts.
const signed = acts.filter((method) => method !== 'enrollOperator')

test.each(signed)(
  "a call of %s with an operator's certificate but without a signature is refused",
  async (method) => {
    const served = { server: 'ledger-ke', address: at.ledger.address } as const
    const client = openTestClient(LedgerServiceClient, served, 'operator')
    const path = `/ledger.v1.LedgerService/${method.charAt(0).toUpperCase()}${method.slice(1)}`
    const asIs = (bytes: Buffer) => bytes
    const answer = openCall('ledger_unavailable')(5_000, (metadata, options, done) => {
      const answered = done as (error: unknown, response?: Buffer) => void
      return client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), metadata, options, answered)
    })
    await expect(answer).rejects.toMatchObject({ facts: { grpcStatus: 16 } })
    client.close()
  },
)

test('every method of operators that does not only read has to be signed', () => {
  expect(acts.length).toBeGreaterThan(12)
  expect(acts.filter((method) => !/^(ask|decide|enroll|switch)[A-Z]/.test(method))).toEqual([])
})
