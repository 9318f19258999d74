import { LedgerServiceClient } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type Country, isCountry } from '@malipo/kernel/countries'
import { type Call, clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { findRunningStack } from '../claim'
import { readSecrets } from '../secrets'
import type { StackFile } from '../stack-file'

/** A ledger as operators ask it. */
export interface LedgerDoor {
  readonly country: Country
  readonly client: LedgerServiceClient
  readonly call: Call
}

export interface Doors {
  /** The local stack, when it is one that is asked. */
  readonly stack: StackFile | undefined
  readonly ledgers: readonly LedgerDoor[]
  close(): void
}

/**
 * The ledgers of the stack that runs in a folder; or, where the environment names one by LEDGER_ADDRESS, COUNTRY and
 * INTERNAL_SECRET, that one. With an identity every call is signed by it.
 */
export function openDoors(
  dir: string,
  environment: NodeJS.ProcessEnv,
  identity?: OperatorIdentity,
): Doors {
  const { LEDGER_ADDRESS: address, COUNTRY: country = '', INTERNAL_SECRET: secret } = environment
  if (address !== undefined && secret !== undefined && isCountry(country.toLowerCase())) {
    const ledger = openDoor(country.toLowerCase() as Country, {
      address,
      secretHex: secret,
      identity,
    })
    return doorsOf(undefined, [ledger])
  }
  const stack = findRunningStack(dir)
  if (stack === undefined) throw new Error(`No stack runs in ${dir}: npm start`)
  const { internalSecret } = readSecrets(dir)
  const ledgers = (['ke', 'ug'] as const).map((each) =>
    openDoor(each, {
      address: stack.processes[`ledger-${each}`]?.address ?? '',
      secretHex: internalSecret,
      identity,
    }),
  )
  return doorsOf(stack, ledgers)
}

function openDoor(
  country: Country,
  at: {
    readonly address: string
    readonly secretHex: string
    readonly identity: OperatorIdentity | undefined
  },
): LedgerDoor {
  const interceptors = at.identity === undefined ? [] : [signCalls(at.identity, country)]
  const client = new LedgerServiceClient(at.address, clientCredentials, {
    ...clientOptions,
    interceptors,
  })
  const call = openCall(Buffer.from(at.secretHex, 'hex'), 'ledger_unavailable')
  return { country, client, call }
}

function doorsOf(stack: StackFile | undefined, ledgers: readonly LedgerDoor[]): Doors {
  return {
    stack,
    ledgers,
    close() {
      for (const { client } of ledgers) client.close()
    },
  }
}

/** M-Pesa is Kenya's, and everybody else Uganda's, unless a country is named. */
export function ledgerOf(doors: Doors, subject: string, country?: string): LedgerDoor {
  const wanted = country ?? (/^(?:mtn_momo|airtel_money):/.test(subject) ? 'ug' : 'ke')
  const ledger = doors.ledgers.find((one) => one.country === wanted)
  if (ledger === undefined) throw new Error(`There is no ledger of ${wanted} here`)
  return ledger
}
