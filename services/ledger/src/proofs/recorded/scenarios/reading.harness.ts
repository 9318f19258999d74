import { systemClock } from '@malipo/runtime/clock'
import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Caller } from '@malipo/runtime/caller-identity'
import { present, uniqueReceipt } from '../../../payments.harness'
import { ledgerCallers } from '../../../methods'
import { evidence } from '../../../evidence/evidence.harness'
import type { Recording, Scenario } from '../recording.harness'

/** What the hub lists, what the worker claims, and who may call. */
export const reading: Scenario = {
  name: 'reading',
  async play(at) {
    await listing(at)
    await claiming(at)
    await calling(at)
  },
}

const any = {
  limit: 50,
  status: 'CHECKOUT_STATUS_UNSPECIFIED',
  paidAfterExpiry: false,
  search: '',
  moneyHeld: false,
} as const

async function listing({ ledger, pay, pass, refused }: Recording): Promise<void> {
  const accountId = await pay.merchant()
  const list = (changes: Partial<Parameters<typeof ledger.listCheckouts>[0]> = {}) =>
    ledger.listCheckouts({ ...any, accountId, ...changes })
  await list()
  const made: string[] = []
  for (const reference of ['order-1', 'order-2', 'other']) {
    made.push((await pay.checkout({ accountId, reference })).checkoutId)
  }
  const [paid, tried, other] = made.map(present)
  const receipt = uniqueReceipt()
  const settled = await pay.pending(present(paid))
  await pay.paid(settled, { receipt })
  await pay.declined(await pay.pending(present(tried)))
  await list({ limit: 2 })
  await list({ limit: 2, beforeCheckoutId: present(tried) })
  for (const search of [
    'order',
    'rder',
    receipt,
    receipt.toLowerCase(),
    settled.intentId,
    present(other),
  ]) {
    await list({ search })
  }
  for (const status of [
    'CHECKOUT_STATUS_OPEN',
    'CHECKOUT_STATUS_COMPLETED',
    'CHECKOUT_STATUS_EXPIRED',
  ] as const) {
    await list({ status })
  }
  await list({ accountId: 'acc_gone', search: present(paid) })
  const hourAgo = new Date(systemClock.now() - 3_600_000)
  await list({ createdFrom: hourAgo })
  await list({ createdUntil: hourAgo })
  for (const wrong of [{ limit: 0 }, { limit: 51 }, { search: 'x'.repeat(65) }]) {
    await refused(list(wrong))
  }
  const { entries } = await ledger.listWalletEntries({ accountId, limit: 1 })
  await ledger.listWalletEntries({ accountId, limit: 1, beforeEntryId: entries[0]?.entryId })
  await refused(ledger.listWalletEntries({ accountId, limit: 0 }))
  await refused(ledger.listWalletEntries({ accountId, limit: 51 }))
  await pass(1_860)
  await list({ status: 'CHECKOUT_STATUS_EXPIRED' })
}

async function claiming(at: Recording): Promise<void> {
  const { ledger, pay, pass, refused } = at
  await refused(ledger.claimDue({ limit: 0 }))
  await ledger.claimDue({ limit: 10 })
  const attempt = await evidence(at).pending()
  await pass(80)
  await pay.start((await pay.checkout()).checkoutId)
  await pay.callback(attempt.callbackToken)
  await ledger.claimDue({ limit: 10 })
  await pass(2)
  await ledger.claimDue({ limit: 10 })
  await ledger.claimDue({ limit: 10 })
  await pass(6)
  await ledger.claimDue({ limit: 2 })
}

const processes: readonly Caller[] = [
  ...(['gateway-ke', 'worker-ke', 'auth', 'operator', 'gateway-ug', 'worker-ug'] as const),
]

/** Each process that may not call a method is refused before the operation sees the call. */
async function calling({ quiet, note }: Recording): Promise<void> {
  const allowed = Object.entries<readonly Caller[]>(ledgerCallers('ke'))
  const refusals: (readonly [string, Readonly<Record<string, unknown>>])[] = []
  for (const caller of processes) {
    const methods = allowed.flatMap(([method, may]) => (may.includes(caller) ? [] : [method]))
    refusals.push([caller, await codesOf(quiet.address, caller, methods)])
  }
  note('grpc status of what a caller may not call', Object.fromEntries(refusals))
}

async function codesOf(address: string, caller: Caller, methods: readonly string[]) {
  const callers = Object.fromEntries(methods.map((method) => [method, [caller]]))
  const { calls, close } = openCallsOf<LedgerServiceServer>({
    ...{ server: 'ledger-ke', definition: LedgerServiceService, address },
    ...{ callers: callers as unknown as ReturnType<typeof ledgerCallers> },
    whenUnavailable: 'ledger_unavailable',
  })
  const codes = await Promise.all(
    Object.entries(calls).map(async ([method, call]) => {
      const ask = call as (request: unknown) => Promise<unknown>
      const answer = await ask(emptyRequest(method)).catch((error: unknown) => error)
      return [method, answer instanceof Fault ? (answer.facts['grpcStatus'] ?? 0) : 0] as const
    }),
  )
  close()
  return Object.fromEntries(codes)
}

function emptyRequest(method: string): unknown {
  const { requestDeserialize } = LedgerServiceService[method as keyof typeof LedgerServiceService]
  return requestDeserialize(Buffer.alloc(0))
}
