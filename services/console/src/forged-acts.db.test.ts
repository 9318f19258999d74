import { Metadata } from '@grpc/grpc-js'
import {
  type AskRefundResponse,
  LedgerServiceClient,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openTestClient } from '@malipo/runtime/calls.harness'
import { signedActs } from './acts/signed-acts'
import { type RunningConsole, startConsole } from './console.harness'
import { accountId } from './ledgers.harness'
import { openTestOperator, type TestOperator } from './test-operator.harness'

// One person alone moves no money, whatever they send. Each test here is an attempt that the ledger itself refuses, or
// the console before it.

let running: RunningConsole
let asha: TestOperator
let brian: TestOperator
let placementId: string
let subject: string

const note = 'the payer called'

beforeAll(async () => {
  running = await startConsole()
  asha = openTestOperator(running.url)
  brian = openTestOperator(running.url)
  expect(await asha.enrol('asha')).toEqual(['enrolled', 'enrolled'])
  expect(await brian.enrol('brian')).toEqual(['enrolled', 'enrolled'])
  await asha.signIn()
  await brian.signIn()
  subject = await running.ke.held()
  const owner = { $case: 'accountId', value: accountId }
  const placement = await asha.act('AskPlacement', { subject, owner, note })
  expect(placement.body.data).toMatchObject({ outcome: 'asked', is_done: true })
  placementId = placement.body.data.id
})
afterAll(() => running.stop())

afterEach(async () => {
  // No attempt of a test has moved the money.
  const { holder } = await running.ke.calls.readReceipt({ subject })
  expect(holder).toBe('suspense:unmatched')
})

const agree = () => ({ placementId, agreed: true, note })

test('the one who asked cannot approve, in the same session or in a second one', async () => {
  const second = openTestOperator(running.url)
  for (const operator of [asha, second]) {
    if (operator === second) for (const [name, pair] of asha.cookies) second.cookies.set(name, pair)
    const body = asha.signed('DecidePlacement', agree())
    const tried = await operator.send('/acts', body, { 'x-csrf-token': await operator.csrf() })
    expect(tried.body.data).toMatchObject({ outcome: 'needs_another', is_done: false })
  }
})

test('a second key of the same person is not enrolled, in any spelling of the name or the subject', async () => {
  for (const name of ['asha', 'Asha', ' ASHA ']) {
    const second = openTestOperator(running.url)
    expect(await second.enrol(name)).toEqual(['name_taken', 'name_taken'])
    expect((await second.signIn()).body.data).toMatchObject({ is_enrolled: false })
    const tried = await asha.send('/acts', second.signed('DecidePlacement', agree()), {
      'x-csrf-token': await asha.csrf(),
    })
    expect(tried.body.errors).toMatchObject([{ path: 'operator_id' }])
  }
  const another = openTestOperator(running.url)
  expect(await another.enrol('asha2', 'ASHA')).toEqual(['subject_taken', 'subject_taken'])
  expect(await another.enrol('asha2', 'asha2')).toEqual(['needs_enrolled', 'needs_enrolled'])
  // Her own request for a second key waits for another operator, and that key is not enrolled until then.
  const request = { name: 'asha2', publicKey: another.identity.publicKey }
  expect((await asha.act('EnrollOperator', request)).body.data.outcome).toBe('asked')
  const { operatorId } = another.identity
  const own = await asha.act('DecideEnrollment', { operatorId, agreed: true })
  expect(own.body.data.outcome).toBe('needs_another')
  expect((await another.signIn()).body.data).toMatchObject({ is_enrolled: false })
})

test('refuses a signature that was used before, is too old, or is of another country, act or key', async () => {
  const subjects = await running.ke.held()
  const ask = { subject: subjects, sentBy: 'REFUND_SENDER_US', note }
  const body = brian.signed('AskRefund', ask)
  const token = { 'x-csrf-token': await brian.csrf() }
  expect((await brian.send('/acts', body, token)).body.data.outcome).toBe('asked')
  const decide = brian.signed('DecidePlacement', agree())
  const other = asha.signed('DecidePlacement', agree()) as { signature: string }
  for (const [forged, why] of [
    [body, 'it was used before'],
    [{ ...decide, country: 'ug' }, 'another request, ledger or key'],
    [{ ...decide, act: 'DecideRefund' }, 'another request, ledger or key'],
    [{ ...decide, signature: other.signature }, 'another request, ledger or key'],
    [
      brian.signed('DecidePlacement', agree(), { signedAt: '2026-01-01T00:00:00.000Z' }),
      '5 minutes',
    ],
  ] as const) {
    const refused = await brian.send('/acts', forged, token)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(why)])
  }
})

test('refuses an act without a session, without its token, and from a page of another site', async () => {
  const body = brian.signed('DecidePlacement', agree())
  const token = await brian.csrf()
  const unknown = openTestOperator(running.url)
  expect((await unknown.send('/acts', body)).status).toBe(401)
  for (const headers of [
    { 'x-csrf-token': await asha.csrf() },
    { 'x-csrf-token': token, origin: 'https://elsewhere.example' },
    { 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' },
    {},
  ]) {
    expect((await brian.send('/acts', body, headers)).status).toBe(403)
  }
})

test('the console’s own certificate moves nothing: unsigned, or signed by its own key', async () => {
  const client = openTestClient(
    LedgerServiceClient,
    { server: 'ledger-ke', address: running.ke.address },
    'console',
  )
  const call = (method: string, metadata = new Metadata()) =>
    new Promise<number | undefined>((resolve) => {
      const definition = Object.values(LedgerServiceService).find(({ path }) =>
        path.endsWith(`/${method}`),
      )
      client.makeUnaryRequest<Buffer, AskRefundResponse>(
        definition?.path ?? '',
        (bytes) => bytes,
        () => ({ outcome: 'ASK_REFUND_OUTCOME_UNSPECIFIED', refundId: undefined }),
        Buffer.alloc(0),
        metadata,
        (error) => {
          resolve(error?.code)
        },
      )
    })
  const [unauthenticated, denied, invalid] = [16, 7, 3]
  for (const act of signedActs) {
    // An enrolment is signed by the key in its request, which is empty here: the ledger refuses that as invalid first.
    expect([act, await call(act)]).toEqual([
      act,
      act === 'EnrollOperator' ? invalid : unauthenticated,
    ])
  }
  const reads = [
    'ListQueue',
    'FindPayments',
    'ReadPayment',
    'ReadReceipt',
    'ListSuspense',
    'ListReports',
  ]
  const others = [
    'ReadProviderHealth',
    'ListReconReports',
    'ListDayReceipts',
    'ListActions',
    'ListOperators',
    // The console keeps its sessions by these calls; a session lets a browser read only.
    'KeepConsoleRecord',
    'ReadConsoleRecord',
    'TakeConsoleRecord',
  ]
  const mayCall = new Set<string>([...reads, ...others, ...signedActs])
  for (const { path } of Object.values(LedgerServiceService)) {
    const method = path.slice(path.lastIndexOf('/') + 1)
    if (!mayCall.has(method)) expect([method, await call(method)]).toEqual([method, denied])
  }
  client.close()
  const forger = openTestOperator(running.url)
  const own = running.ke.as(forger.identity).decidePlacement(agree())
  await expect(own).rejects.toMatchObject({ facts: { grpcStatus: unauthenticated } })
})
