import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { type Calls, type Operations, serveGrpc } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { testIdentityDir } from '@malipo/testing/identities'
import { ledgerCallers } from '../../../ledger/src/methods'

type Method = keyof Calls<LedgerServiceServer>

/**
 * A proxy in front of the real ledger: calls of a held method arrive, are counted, and wait until the test releases
 * them.
 */
export interface HeldLedger {
  readonly address: string
  /** The address of the real ledger. */
  passOnTo(address: string): void
  hold(...methods: readonly Method[]): void
  /** Calls of a held method that have arrived. */
  arrived(method: Method): number
  release(): void
  stop(): Promise<void>
}

export async function openHeldLedger(country: Country): Promise<HeldLedger> {
  const log = openLog('test', 'silent')
  const server = `ledger-${country}` as const
  const callers = ledgerCallers(country)
  let ledger: ReturnType<typeof openCallsOf<LedgerServiceServer>> | undefined
  let open: () => void = () => undefined
  let opened = Promise.resolve()
  const held = new Map<string, number>()
  const operation = (method: Method) => async (request: unknown) => {
    const count = held.get(method)
    if (count !== undefined) {
      held.set(method, count + 1)
      await opened
    }
    if (ledger === undefined) throw new Fault('ledger_unavailable')
    const all = ledger.calls as unknown as Record<Method, (request: unknown) => Promise<unknown>>
    return all[method](request)
  }
  const methods = Object.keys(callers) as Method[]
  const { port, stop } = await serveGrpc<LedgerServiceServer>({
    definition: LedgerServiceService,
    // One entry for every method of the table; the compiler cannot infer this from a list of entries.
    operations: Object.fromEntries(
      methods.map((method) => [method, operation(method)]),
    ) as unknown as Operations<LedgerServiceServer>,
    callers,
    identity: openTlsIdentity(testIdentityDir(server), log),
    host: '127.0.0.1',
    port: 0,
    log,
  })
  return {
    address: `127.0.0.1:${String(port)}`,
    passOnTo(address) {
      const whenUnavailable = 'ledger_unavailable'
      const definition = LedgerServiceService
      ledger = openCallsOf({ server, definition, callers, address, whenUnavailable })
    },
    hold(...names) {
      opened = new Promise((resolve) => (open = resolve))
      for (const method of names) held.set(method, 0)
    },
    arrived: (method) => held.get(method) ?? 0,
    release() {
      held.clear()
      open()
    },
    async stop() {
      await stop()
      ledger?.close()
    },
  }
}
