import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import type { Calls } from '@malipo/runtime/grpc'
import {
  type GrpcClient,
  type GrpcClientOptions,
  openGrpcClient,
} from '@malipo/runtime/grpc-client'

export interface LedgerOptions extends Pick<
  GrpcClientOptions,
  'address' | 'identity' | 'slots' | 'interceptors'
> {
  readonly country: Country
  /** How long a caller waits for the answer to a read; `writeMs` is for a call that changes something. */
  readonly readMs: number
  readonly writeMs: number
}

export type LedgerCalls = Calls<LedgerServiceServer>

/** The methods of one country's ledger, as they are on the wire. */
export interface LedgerConnection extends Pick<
  GrpcClient<LedgerServiceServer>,
  'within' | 'ready' | 'close'
> {
  readonly country: Country
  readonly reads: LedgerCalls
  readonly writes: LedgerCalls
  /** Passes on the bytes of a signed request unchanged. */
  readonly send: (
    path: string,
    request: Buffer,
    prepare: Parameters<GrpcClient<unknown>['send']>[2]['prepare'],
  ) => Promise<object>
}

/** Every rejection is a Fault; ledger_unavailable means no answer. */
export function openLedgerConnection(options: LedgerOptions): LedgerConnection {
  const { country, readMs, writeMs, ...rest } = options
  const client = openGrpcClient<LedgerServiceServer>({
    ...rest,
    server: `ledger-${country}`,
    definition: LedgerServiceService,
    whenUnavailable: 'ledger_unavailable',
  })
  return {
    ...client,
    country,
    reads: client.within(readMs),
    writes: client.within(writeMs),
    send: (path, request, prepare) => client.send(path, request, { deadlineMs: writeMs, prepare }),
  }
}
