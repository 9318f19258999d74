import { Client, Metadata, status } from '@grpc/grpc-js'
import { identities, type Identity, type ServerIdentity } from '@malipo/runtime/caller-identity'
import { clientOptionsTo } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { accountCallers } from '../../../services/auth/src/callers'
import { keyCallers } from '../../../services/keys/src/callers'
import { ledgerCallers } from '../../../services/ledger/src/methods'
import { identityDirOf } from './certificates'

/** Each server with the proto service that it serves, and its table of who may call which method. */
export const servers = [
  { server: 'ledger-ke', service: 'LedgerService', callers: ledgerCallers('ke') },
  { server: 'ledger-ug', service: 'LedgerService', callers: ledgerCallers('ug') },
  { server: 'keys', service: 'KeyService', callers: keyCallers },
  { server: 'auth', service: 'AccountService', callers: accountCallers },
] as const

/** No message of ours can be parsed from this byte, so a call that gets past the check ends at the parser. */
const unreadable = Buffer.from([0xff])

/**
 * Calls each method of a server as each process of a stack, and returns the calls that got past the check, each as
 * `PATH CALLER STATUS`.
 */
export async function whoGetsPast(
  dir: string,
  { server, address }: { readonly server: ServerIdentity; readonly address: string },
  paths: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(
    identities.map(async (identity) => {
      const client = clientAs(dir, identity, { server, address })
      const outcomes = await Promise.all(
        paths.map(async (path) => ({ path, code: await statusOf(client, path) })),
      )
      client.close()
      return outcomes
        .filter(({ code }) => code !== status.PERMISSION_DENIED)
        .map(({ path, code }) => `${path} ${identity} ${status[code]}`)
    }),
  )
  return found.flat().sort()
}

function clientAs(
  dir: string,
  identity: Identity,
  { server, address }: { readonly server: ServerIdentity; readonly address: string },
): Client {
  const { channel } = openTlsIdentity(identityDirOf(dir, identity), openLog('test', 'silent'))
  return new Client(address, channel, clientOptionsTo(server))
}

function statusOf(client: Client, path: string): Promise<status> {
  const asIs = (bytes: Buffer) => bytes
  const options = { deadline: Date.now() + 20_000 }
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, asIs, asIs, unreadable, new Metadata(), options, (error) => {
      resolve(error?.code ?? status.OK)
    })
  })
}
