import { randomBytes } from 'node:crypto'
import {
  type LedgerServiceServer,
  LedgerServiceService,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from '../../ledger/src/config'
import { settledInvariants } from '../../ledger/src/invariants.harness'
import { ledgerCallers } from '../../ledger/src/methods'
import { start } from '../../ledger/src/start'
import { letPass } from '../../ledger/src/time.harness'

const fingerprint = Buffer.alloc(32, 7)
export const accountId = 'acct_mboga'
const amountMinor = 150_000n

export interface Prompted {
  readonly intentId: string
  readonly token: string
  readonly providerRequestId: string
}

/** The real ledger of a country, with the calls that the gateway and the worker would make. */
export interface TestLedger {
  readonly country: Country
  readonly address: string
  readonly calls: Calls<LedgerServiceServer>
  readonly database: TestDatabase
  as(operator: OperatorIdentity): Calls<LedgerServiceServer>
  checkout(reference?: string): Promise<string>
  /** An attempt whose prompt is on the payer's phone. Returns its id and the secret of its callback. */
  prompted(checkoutId: string): Promise<Prompted>
  /**
   * Stores a callback from an unlisted address that says "paid", which posts no money: it is listed as a payment
   * report, and holds its attempt open.
   */
  reportPaid(token: string, providerRequestId: string): Promise<void>
  /** Makes a checkout and pays it. */
  paid(reference: string): Promise<{ readonly checkoutId: string; readonly subject: string }>
  /** Posts money without a known owner to suspense. Returns its receipt as `mpesa:…`. */
  held(minor?: bigint): Promise<string>
  /** Stores a provider message whose body is not JSON, which is parked. Returns its id. */
  parked(checkoutId: string): Promise<string>
  letPass(seconds: number): Promise<void>
  /** Stops answering. */
  lose(): Promise<void>
  /** Stops the ledger; fails when an invariant does not hold. */
  stop(): Promise<void>
}

export async function startLedger(country: Country): Promise<TestLedger> {
  const database = await cloneDatabase('ledger')
  const config = readConfig({
    ...{ COUNTRY: country, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' },
    TLS_DIR: testIdentityDir(`ledger-${country}`),
    DATABASE_URL: database.url,
    CALLBACK_UNCONFIRMED_MAX_MINOR: '15000000',
    PROMPT_WAIT_MAX_SECONDS: '3600',
    ...(country === 'ke' && { PAY_BILL_NUMBER_KEY: Buffer.alloc(32, 5).toString('hex') }),
  })
  const started = await start(config, openLog('test', 'silent'))
  const address = `127.0.0.1:${String(started.ports['grpc'])}`
  const served = {
    server: `ledger-${country}`,
    definition: LedgerServiceService,
    callers: ledgerCallers(country),
    address,
    whenUnavailable: 'ledger_unavailable',
  } as const
  const own = openCallsOf<LedgerServiceServer>(served)
  const opened = [own]
  await own.calls.openWallet({ accountId })
  let stopped: Promise<void> | undefined
  return {
    country,
    address,
    calls: own.calls,
    database,
    as(operator) {
      const signing = openCallsOf<LedgerServiceServer>({
        ...served,
        interceptors: [signCalls(operator, country)],
      })
      opened.push(signing)
      return signing.calls
    },
    ...payments(own.calls),
    letPass: (seconds) => letPass(database, seconds),
    lose: () => (stopped ??= started.stop()),
    async stop() {
      const broken = await settledInvariants(database)
      for (const each of opened) each.close()
      await (stopped ??= started.stop())
      await database.drop()
      expect(broken).toEqual({})
    },
  }
}

const newReceipt = () => `R${randomBytes(5).toString('hex').toUpperCase()}`

function payments(ledger: Calls<LedgerServiceServer>) {
  const checkout = async (reference?: string) => {
    const made = await ledger.createCheckout({ accountId, fingerprint, amountMinor, reference })
    return made.checkout?.checkoutId ?? ''
  }
  const prompted = async (checkoutId: string) => {
    const idempotencyKey = randomBytes(8).toString('hex')
    const phone = `2547${String(10_000_000 + (randomBytes(4).readUInt32BE() % 89_999_999))}`
    const request = { checkoutId, idempotencyKey, fingerprint, rail: Rail.MPESA, phone }
    const { intent } = await ledger.startIntent(request)
    const intentId = intent?.intentId ?? ''
    const { prompt } = await ledger.beginSubmit({ intentId })
    const providerRequestId = `ws_CO_${idempotencyKey}`
    const value = { providerRequestId }
    await ledger.recordSubmit({ intentId, outcome: { $case: 'accepted', value } })
    return { intentId, token: prompt?.callbackToken ?? '', providerRequestId }
  }
  const callback = async (token: string, body: string, sourceKnown = true) =>
    (
      await ledger.storeProviderMessage({
        rail: Rail.MPESA,
        kind: 'PROVIDER_MESSAGE_KIND_CALLBACK',
        subject: { $case: 'callbackToken', value: token },
        body: Buffer.from(body),
        sourceAddress: '196.201.214.200',
        sourceKnown,
      })
    ).messageId
  return {
    checkout,
    prompted,
    async reportPaid(token: string, providerRequestId: string) {
      const messageId = await callback(token, '{"ResultCode":0}', false)
      const value = { receipt: newReceipt(), amountMinor, providerRequestId }
      await ledger.applyEvidence({ messageId, fact: { $case: 'confirmed', value } })
    },
    async paid(reference: string) {
      const checkoutId = await checkout(reference)
      const { token, providerRequestId } = await prompted(checkoutId)
      const receipt = newReceipt()
      const messageId = await callback(token, '{}')
      const value = { receipt, amountMinor, providerRequestId }
      await ledger.applyEvidence({ messageId, fact: { $case: 'confirmed', value } })
      return { checkoutId, subject: `mpesa:${receipt}` }
    },
    async held(minor = 50_000n) {
      const receipt = newReceipt()
      const { messageId } = await ledger.storeProviderMessage({
        rail: Rail.PAYBILL,
        kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW',
        subject: undefined,
        body: Buffer.from(receipt),
        sourceAddress: '196.201.214.200',
        sourceKnown: true,
      })
      const value = { receipt, amountMinor: minor, accountNumber: 'rent', payeeUnknown: false }
      await ledger.applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
      return `mpesa:${receipt}`
    },
    async parked(checkoutId: string) {
      const { token } = await prompted(checkoutId)
      const messageId = await callback(token, 'not json')
      const value = { detail: 'the body is not JSON' }
      await ledger.applyEvidence({ messageId, fact: { $case: 'unreadable', value } })
      return messageId
    },
  }
}
