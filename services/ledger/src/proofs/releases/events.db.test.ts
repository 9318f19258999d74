import { join } from 'node:path'
import {
  type LedgerServiceServer,
  LedgerServiceService,
  FailureCause,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { freePort } from '@malipo/stack/free-port'
import { migrateDatabase, repositoryDir } from '@malipo/stack/migrate'
import { eventually } from '@malipo/testing/eventually'
import { settledInvariants } from '../../invariants.harness'
import type { TestLedger } from '../../ledger.harness'
import { payments, present, uniqueReceipt } from '../../payments.harness'
import { type RunningLedger, startLedger } from '../../start.harness'
import { letPass } from '../../time.harness'
import { webhooks } from '../../webhooks/webhooks.harness'
import { ledgerCallers } from '../../methods'
import { amina, brian, note, operators } from '../../operators/operators.harness'
import { type PinnedLedger, unpackPinned } from './pinned-ledger.harness'
import { openEmptyDatabase, urlsOf } from './rollout.harness'

/** Webhook events while an earlier release, whose events a trigger writes, runs beside today's. */

type Release = 'earlier' | 'today'

interface Replica {
  readonly calls: Calls<LedgerServiceServer>
  as(operator: OperatorIdentity): Calls<LedgerServiceServer>
}

let at: Pick<TestLedger, 'database' | 'pay'> & { readonly ledger: RunningLedger }
let pinned: PinnedLedger
let replicas: Readonly<Record<Release, Replica>>
const closers: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  const empty = await openEmptyDatabase()
  const urls = urlsOf(empty, 'test_ledger_events')
  pinned = unpackPinned()
  // The earlier release calls functions that only its own migrate step makes.
  await migrateDatabase(pinned.serviceDir, urls)
  await migrateDatabase(join(repositoryDir, 'services/ledger'), urls)
  const database = { ...empty, url: urls.service }
  const [port, adminPort] = [await freePort(), await freePort()]
  const earlier = await pinned.start({ port, adminPort, databaseUrl: database.url })
  closers.push(() => earlier.stop())
  const ledger = await startLedger(database)
  closers.push(() => ledger.stop())
  at = { database, ledger, pay: payments(ledger) }
  replicas = { earlier: replicaOn(`127.0.0.1:${String(port)}`), today: replicaOn(ledger.address) }
  await operators(at).enroll()
})

afterAll(async () => {
  const broken = await settledInvariants(at.database)
  for (const close of closers.toReversed()) await close()
  pinned.remove()
  await at.database.drop()
  expect(broken).toEqual({})
})

function replicaOn(address: string): Replica {
  const open = (interceptors: ReturnType<typeof signCalls>[]) => {
    const opened = openCallsOf<LedgerServiceServer>({
      server: 'ledger-ke',
      definition: LedgerServiceService,
      callers: ledgerCallers('ke'),
      ...{ address, whenUnavailable: 'ledger_unavailable', interceptors },
    })
    closers.push(() => {
      opened.close()
    })
    return opened.calls
  }
  return { calls: open([]), as: (operator) => open([signCalls(operator, 'ke')]) }
}

/** Every event of an account, also one without a delivery, with what it is about. */
async function eventsOf(accountId: string): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ line: string }>(
    `SELECT type || ' ' || subject_id AS line FROM webhook_events WHERE account_id = $1 ORDER BY 1`,
    [accountId],
  )
  return rows.map(({ line }) => line)
}

describe.each<[Release, Release]>([
  ['earlier', 'earlier'],
  ['earlier', 'today'],
  ['today', 'earlier'],
  ['today', 'today'],
])('a payment that the %s ledger begins and the %s one ends', (begins, ends) => {
  const began = () => replicas[begins]
  const ended = () => replicas[ends]
  const pays = () => [payments(began().calls), payments(ended().calls)] as const

  test('writes one event each for its failure, its late money and its refund', async () => {
    const { accountId } = await webhooks(at).listener()
    const [first, second] = pays()
    const { checkoutId } = await first.checkout({ accountId })
    const attempt = await first.pending(checkoutId)
    await first.declined(attempt)
    const withheld = present((await first.start(checkoutId)).intent)
    const receipt = uniqueReceipt()
    await second.paid(attempt, { receipt })
    await second.paid(attempt, { receipt })
    await second.paid(attempt)
    // The attempt fails without a prompt because its checkout is paid, and such a failure writes no event.
    await began().calls.beginSubmit({ intentId: withheld.intentId })
    const request = { subject: `mpesa:${receipt}`, sentBy: RefundSender.PROVIDER, note }
    const { refundId = '' } = await began().as(amina).askRefund(request)
    await ended().as(brian).decideRefund({ refundId, agreed: true, note })
    expect(await eventsOf(accountId)).toEqual([
      `checkout.completed ${checkoutId}`,
      `payment.failed ${checkoutId}`,
      `payment.reversed ${checkoutId}`,
    ])
    expect(await webhooks(at).events(accountId)).toHaveLength(3)
  })

  test('writes one event each for a refused prompt, a placement and an expiry', async () => {
    const { accountId } = await webhooks(at).listener()
    const [first] = pays()
    const [refused, placed] = [
      await first.checkout({ accountId }),
      await first.checkout({ accountId }),
    ]
    const { intentId } = present((await first.start(refused.checkoutId)).intent)
    await began().calls.beginSubmit({ intentId })
    const value = { cause: FailureCause.NO_FUNDS, providerCode: '500.001.1001' }
    await ended().calls.recordSubmit({ intentId, outcome: { $case: 'refused', value } })
    const subject = await operators(at).unmatched()
    const owner = { $case: 'checkoutId', value: placed.checkoutId } as const
    const { placementId = '' } = await began().as(amina).askPlacement({ subject, owner, note })
    await ended().as(brian).decidePlacement({ placementId, agreed: true, note })
    await letPass(at.database, 1_801)
    await eventually('it has expired', async () => (await eventsOf(accountId)).length > 2)
    expect(await eventsOf(accountId)).toEqual([
      `checkout.completed ${placed.checkoutId}`,
      `checkout.expired ${refused.checkoutId}`,
      `payment.failed ${refused.checkoutId}`,
    ])
  })
})
