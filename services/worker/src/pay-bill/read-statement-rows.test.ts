import { TakeStatementRowsRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { digestStatementRow } from '@malipo/contracts/statement-row'
import {
  type StatementRow,
  type TakenStatementRow,
  wireRowsOf,
} from '@malipo/ledger-client/statements'
import { openLog } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import { readStatementRows } from './read-statement-rows'

let requests: number[]
let taken: number[]
let known: Set<string>
let applied: StatementRow[]
let alone: string[]
let lookups: string[]
let announced: (string | undefined)[]
let leftOut: Set<string>
let poison: string | undefined
let logged: string[]

beforeEach(() => {
  ;[requests, taken, applied, alone, lookups, announced] = [[], [], [], [], [], []]
  logged = []
  ;[known, leftOut, poison] = [new Set(), new Set(), undefined]
})

const payee = { accountId: 'acc_1', handle: 'Mama-Mboga' }

const deps: Parameters<typeof readStatementRows>[0] = {
  ledger: {
    findStatementRows(digests: readonly Buffer[]): Promise<boolean[]> {
      requests.push(digests.length)
      return Promise.resolve(digests.map((digest) => known.has(digest.toString('hex'))))
    },
    takeStatementRows(rows: readonly StatementRow[]): Promise<TakenStatementRow[]> {
      taken.push(bytesOf(rows))
      applied.push(...rows)
      return Promise.resolve(
        rows.map(({ body }) => {
          const messageId = receiptOf(body)
          const result = leftOut.has(messageId) ? undefined : 'settled'
          return { messageId, result, checkoutId: `cs_${messageId}` }
        }),
      )
    },
  } as Parameters<typeof readStatementRows>[0]['ledger'],
  findPayee(handle) {
    lookups.push(handle)
    return handle === 'broken' ? Promise.reject(new Error('no answer')) : Promise.resolve(payee)
  },
  announce: (ids) => announced.push(...ids),
  jobs: {
    run({ id }) {
      alone.push(id)
      return id === poison
        ? Promise.reject(new Error('no way through'))
        : Promise.resolve('applied')
    },
  },
  log: Object.assign(openLog('test', 'silent'), {
    info: (...line: unknown[]) => logged.push(JSON.stringify(line)),
    error: (...line: unknown[]) => logged.push(JSON.stringify(line)),
  }),
}

function rowOf(receipt: string, billreference = 'rent', changes: object = {}): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      transactionId: receipt,
      trxDate: '2026-11-20T12:00:00+03:00',
      msisdn: 254708374149,
      sender: 'MPESA',
      transactiontype: 'c2b-pay-bill-debit',
      billreference,
      amount: '500.0',
      organizationname: 'Malipo',
      ...changes,
    }),
  )
}

/** The size of the call that takes these rows. */
function bytesOf(rows: readonly StatementRow[]): number {
  return TakeStatementRowsRequest.encode(wireRowsOf(rows)).finish().length
}

function receiptOf(body: Uint8Array): string {
  const { transactionId } = JSON.parse(Buffer.from(body).toString()) as { transactionId: string }
  return transactionId
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => rowOf(`QK${String(n).padStart(8, '0')}`))

test('a page goes to the ledger in batches that fit one call, and its payments are announced', async () => {
  expect(await readStatementRows(deps, rows(1_200))).toBe(true)
  expect(Math.max(...requests)).toBeLessThanOrEqual(1_000)
  expect(Math.max(...taken)).toBeLessThanOrEqual(65_536)
  expect(taken.length).toBeLessThan(10)
  expect(applied).toHaveLength(1_200)
  expect(announced).toContain('cs_QK00000000')
  expect(alone).toEqual([])
})

test('rows of handles with long names are split into calls that fit the channel', async () => {
  const longest = rows(1_200).map((_, n) =>
    rowOf(`QK${String(n).padStart(8, '0')}`, `m-${String(n).padStart(28, '0')}`),
  )
  await readStatementRows(deps, longest)
  expect(lookups).toHaveLength(1_200)
  expect(applied).toHaveLength(1_200)
  expect(Math.max(...taken)).toBeLessThanOrEqual(65_536)
})

test('a row that was applied before costs no lookup and no second application', async () => {
  known.add(digestStatementRow(rowOf('QK00000001', 'mama-mboga')).toString('hex'))
  await readStatementRows(deps, [
    rowOf('QK00000001', 'mama-mboga'),
    rowOf('QK00000002', 'mama-mboga'),
  ])
  expect(applied.map(({ body }) => receiptOf(body))).toEqual(['QK00000002'])
  expect(lookups).toHaveLength(1)
})

test('a handle in many rows is looked up once', async () => {
  const typed = ['QK00000001', 'QK00000002', 'QK00000003'].map((receipt) =>
    rowOf(receipt, 'mama-mboga'),
  )
  await readStatementRows(deps, typed)
  expect(lookups).toEqual(['mama-mboga'])
  expect(applied.map(({ payee: found }) => found)).toEqual([payee, payee, payee])
})

test('a handle whose lookup fails holds up no other row, and its payee is reported as unanswered', async () => {
  const page = [rowOf('QK00000001', 'broken'), rowOf('QK00000002', 'mama-mboga')]
  expect(await readStatementRows(deps, page)).toBe(true)
  expect(applied.map(({ payee: found }) => found)).toEqual(['unanswered', payee])
  expect(logged.some((line) => line.includes('was not looked up'))).toBe(true)
})

test('rows that the ledger leaves out are applied one by one', async () => {
  leftOut.add('QK00000002')
  expect(await readStatementRows(deps, [rowOf('QK00000001'), rowOf('QK00000002')])).toBe(true)
  expect(alone).toEqual(['QK00000002'])
})

test.each([
  ['an amount with a comma', { amount: '5,00' }],
  ['an amount of another form', { amount: [500] }],
])(
  'a row with %s never reaches the ledger, and the page counts as unread',
  async (_what, changes) => {
    const page = [rowOf('QK00000001'), rowOf('QK00000003', 'rent', changes)]
    const before = await counted('provider_code_unknown')
    for (const reading of [1, 2]) {
      expect(await readStatementRows(deps, page)).toBe(false)
      expect((await counted('provider_code_unknown')) - before).toBe(reading)
    }
    expect(applied.map(({ body }) => receiptOf(body))).toEqual(['QK00000001', 'QK00000001'])
    expect(alone).toEqual([])
    const line = logged.find((one) => one.includes('cannot be read'))
    expect(line).toBeDefined()
    expect(line).not.toMatch(/708374149|rent/)
  },
)

test('a failing row does not stop the rows behind it, and the page counts as unread', async () => {
  for (const id of ['QK00000001', 'QK00000002', 'QK00000003']) leftOut.add(id)
  poison = 'QK00000001'
  expect(
    await readStatementRows(
      deps,
      ['QK00000001', 'QK00000002', 'QK00000003'].map((id) => rowOf(id)),
    ),
  ).toBe(false)
  expect(alone.sort()).toEqual(['QK00000001', 'QK00000002', 'QK00000003'])
})

test('a row above the size limit is skipped, and the page counts as unread', async () => {
  expect(await readStatementRows(deps, [Buffer.alloc(8_193), rowOf('QK00000001')])).toBe(false)
  expect(applied.map(({ body }) => receiptOf(body))).toEqual(['QK00000001'])
})

async function counted(name: string): Promise<number> {
  const { values } = await notableEvents.get()
  return values.find(({ labels }) => labels.name === name)?.value ?? 0
}

const leftOutRows = () => counted('statement_row_no_payment')

test.each([
  ['merchant-to-organization-settlement', 0],
  ['pay-merchant-online', 1],
])(
  'a row of the type %s, which is no payment, is counted %d times as unknown to operators',
  async (transactiontype, times) => {
    const before = await counted('provider_code_unknown')
    expect(await readStatementRows(deps, [rowOf('QK00000002', '', { transactiontype })])).toBe(true)
    expect(applied).toEqual([])
    expect((await counted('provider_code_unknown')) - before).toBe(times)
  },
)

test('a row that empties the till is stored nowhere, and its page counts as read', async () => {
  const before = await leftOutRows()
  const transactiontype = 'merchant-to-organization-settlement'
  const emptying = rowOf('QK00000002', 'mama-mboga', { transactiontype })
  const page = [rowOf('QK00000001'), emptying, rowOf('QK00000003')]
  expect(await readStatementRows(deps, page)).toBe(true)
  expect(applied.map(({ body }) => receiptOf(body))).toEqual(['QK00000001', 'QK00000003'])
  expect([alone, lookups]).toEqual([[], ['rent']])
  expect((await leftOutRows()) - before).toBe(1)
  const line = logged.find((one) => one.includes(transactiontype))
  expect(line).toContain('QK00000002')
  expect(line).not.toMatch(/708374149|mama-mboga/)
})
