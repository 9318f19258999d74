import {
  type LedgerServiceServer,
  LedgerServiceService,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Caller } from '@malipo/runtime/caller-identity'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { ledgerOfFile } from '../ledger.harness'
import { type Pending, unique } from '../payments.harness'
import { ledgerCallers } from '../methods'

const at = ledgerOfFile()
const { pay } = at

async function pending(): Promise<Pending> {
  return pay.pending((await pay.checkout()).checkoutId)
}

async function kept(intentId: string) {
  const { rows } = await at.database.pool.query<Record<string, unknown>>(
    `SELECT kind, body, source_address, source_known, deliveries, result FROM provider_messages
     WHERE intent_id = $1 ORDER BY received_at`,
    [intentId],
  )
  return rows
}

test('stores a callback byte for byte, with its source address', async () => {
  const { intentId, callbackToken } = await pending()
  const body = Buffer.from([0x7b, 0x00, 0xff, 0x7d])
  const messageId = await pay.callback(callbackToken, { body })
  expect(messageId).toMatch(/^pm_[0-9a-f]{24}$/)
  expect(await kept(intentId)).toEqual([
    {
      kind: 'callback',
      body,
      source_address: '196.201.214.200',
      source_known: true,
      deliveries: 1,
      result: null,
    },
  ])
})

test('row 3: counts a repeated callback, and returns the id of the stored one', async () => {
  const { intentId, callbackToken } = await pending()
  const ids = await Promise.all(Array.from({ length: 100 }, () => pay.callback(callbackToken)))
  expect(new Set(ids).size).toBe(1)
  expect(await kept(intentId)).toMatchObject([{ deliveries: 100 }])
})

test('stores the same body twice when one came from a known and one from an unknown address', async () => {
  const { intentId, callbackToken } = await pending()
  await pay.callback(callbackToken, { sourceKnown: false })
  await pay.callback(callbackToken, { sourceKnown: true })
  expect(await kept(intentId)).toHaveLength(2)
})

test('stores each answer to a status query, also when two are equal', async () => {
  const { intentId } = await pending()
  await pay.fetched(intentId, ProviderMessageKind.QUERY_ANSWER)
  await pay.fetched(intentId, ProviderMessageKind.QUERY_ANSWER)
  expect(await kept(intentId)).toHaveLength(2)
})

test.each([
  ["a secret that is not the attempt's", (token: string) => token.slice(0, 24) + '0'.repeat(32)],
  ['an attempt that does not exist', (token: string) => '0'.repeat(24) + token.slice(24)],
  ['another shape', (token: string) => token.slice(1)],
  ['capitals', (token: string) => token.toUpperCase()],
])('row 7, row 9: refuses a token with %s and stores nothing', async (_, forge) => {
  const { intentId, callbackToken } = await pending()
  await expect(pay.callback(forge(callbackToken))).rejects.toMatchObject({
    reason: 'route_not_found',
  })
  expect(await kept(intentId)).toEqual([])
})

test('refuses a body longer than 8 KB, and takes one of 8 KB', async () => {
  const { callbackToken } = await pending()
  await expect(pay.callback(callbackToken, { body: Buffer.alloc(8_193) })).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'body' },
  })
  await expect(pay.callback(callbackToken, { body: Buffer.alloc(8_192) })).resolves.toMatch(/^pm_/)
})

test("refuses an answer of another rail than the attempt's", async () => {
  const { intentId } = await pending()
  await expect(
    at.ledger.storeProviderMessage({
      rail: Rail.MTN_MOMO,
      kind: ProviderMessageKind.QUERY_ANSWER,
      subject: { $case: 'intentId', value: intentId },
      body: Buffer.from(unique('')),
      sourceAddress: '',
      sourceKnown: true,
    }),
  ).rejects.toMatchObject({ reason: 'route_not_found' })
})

describe('who may store what', () => {
  /** Calls the ledger as one process, with every method allowed on the side of the client. */
  const openAs = (caller: Caller) => {
    const rows = Object.keys(ledgerCallers('ke')).map((method) => [method, [caller]])
    return openCallsOf<LedgerServiceServer>({
      server: 'ledger-ke',
      definition: LedgerServiceService,
      callers: Object.fromEntries(rows),
      address: at.ledger.address,
      whenUnavailable: 'ledger_unavailable',
    })
  }
  const fetched = (intentId: string, kind: ProviderMessageKind) => ({
    rail: Rail.MPESA,
    kind,
    subject: { $case: 'intentId', value: intentId } as const,
    body: Buffer.from(unique('{}')),
    sourceAddress: '',
    sourceKnown: true,
  })

  test.each([
    ['an answer to a query', ProviderMessageKind.QUERY_ANSWER],
    ['a row of a statement', ProviderMessageKind.STATEMENT_ROW],
  ])('a gateway that was broken into cannot store %s, nor apply evidence', async (_, kind) => {
    const { intentId } = await pending()
    const gateway = openAs('gateway-ke')
    await expect(gateway.calls.storeProviderMessage(fetched(intentId, kind))).rejects.toMatchObject(
      { reason: 'invalid_request', facts: { field: 'kind' } },
    )
    const fact = {
      $case: 'confirmed',
      value: { receipt: unique('R'), amountMinor: 14_999_900n },
    } as const
    const messageId = await pay.fetched(intentId, kind)
    await expect(gateway.calls.applyEvidence({ messageId, fact })).rejects.toMatchObject({
      facts: { grpcStatus: 7 },
    })
    gateway.close()
  })

  test('a worker stores what it fetched, and no callback of a payment', async () => {
    const { intentId, callbackToken } = await pending()
    const worker = openAs('worker-ke')
    const answer = fetched(intentId, ProviderMessageKind.QUERY_ANSWER)
    await expect(worker.calls.storeProviderMessage(answer)).resolves.toMatchObject({
      messageId: expect.stringMatching(/^pm_/),
    })
    const callback = {
      ...fetched(intentId, ProviderMessageKind.CALLBACK),
      subject: { $case: 'callbackToken', value: callbackToken } as const,
    }
    await expect(worker.calls.storeProviderMessage(callback)).rejects.toMatchObject({
      reason: 'invalid_request',
    })
    worker.close()
  })
})
