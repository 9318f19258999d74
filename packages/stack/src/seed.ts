import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceDefinition } from '@grpc/grpc-js'
import {
  type AccountServiceServer,
  AccountServiceService,
  type CreateAccountRequest,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import {
  type CreateKeyRequest,
  type KeyServiceServer,
  KeyServiceService,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { openPinProofSigner } from '@malipo/contracts/pin-proof'
import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Caller, ServerIdentity } from '@malipo/runtime/caller-identity'
import type { Calls } from '@malipo/runtime/grpc'
import { openGrpcClient } from '@malipo/runtime/grpc-client'
import { openLog } from '@malipo/runtime/log'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { placeOf } from './cells/place-of'
import { identityDirOf } from './certificates'
import type { Ports } from './ports'
import { type Secrets, writeSecrets } from './secrets'
import type { Merchant } from './stack-file'

export interface SeedOptions {
  readonly dir: string
  readonly cells: 1 | 2
  readonly secrets: Secrets
  readonly ports: Ports
}

/** Hashing a password and a PIN is slow on purpose, and a small machine starts ten services at the same time. */
const deadlineMs = 30_000
const insistEveryMs = 200

const shops = [
  {
    country: 'ke',
    username: 'mama-mboga',
    displayName: 'Mama Mboga Fresh',
    bio: 'Vegetables from Limuru, every morning.',
    theme: 'sunset',
    card: true,
  },
  {
    country: 'ug',
    username: 'kampala-coffee',
    displayName: 'Kampala Coffee',
    bio: 'Roasted on Mount Elgon.',
    theme: 'dark',
    card: true,
  },
] as const satisfies readonly Shop[]

/** Made after `shops`: a new account goes to the cell with the fewest accounts, so these are in the second cells. */
const cellShops = [
  {
    country: 'ke',
    username: 'nakuru-hardware',
    displayName: 'Nakuru Hardware',
    bio: 'Nails, paint and good advice.',
    theme: 'ocean',
    card: true,
  },
  {
    country: 'ug',
    username: 'jinja-fish',
    displayName: 'Jinja Fish',
    bio: 'From the lake this morning.',
    theme: 'light',
    card: true,
  },
] as const satisfies readonly Shop[]

export interface Shop {
  readonly country: Country
  readonly username: string
  readonly displayName: string
  readonly bio: string
  readonly theme: string
  /** Takes cards too. */
  readonly card: boolean
}

/** The secrets of a merchant. The caller makes them once, and keeps them. */
export interface Owner {
  readonly requestId: string
  readonly pin: string
  readonly password: string
  /** The key of an earlier start. It is kept while it works. */
  readonly secretKey?: string | undefined
}

/**
 * Makes merchants by the calls of the services, each with the certificate of the process that makes it in production.
 */
export interface Seeder {
  /** A repeat makes no second account or wallet, and a new key only where that of the owner does not work. */
  make(shop: Shop, owner: Owner): Promise<Merchant>
  close(): void
}

export interface SeederOptions {
  /** The folder of the stack, with the certificates of its services. */
  readonly dir: string
  /** Where a service is asked by gRPC, as host:port. */
  readonly addressOf: (server: ServerIdentity, cell: Cell) => string
  readonly pinProofPrivateKey: string
}

/**
 * The demo merchants: one of each country, and of each second cell. A key is kept in the stack's secrets while it
 * works.
 */
export async function seed({ dir, cells, secrets, ports }: SeedOptions): Promise<Merchant[]> {
  const { pinProofPrivateKey } = secrets
  const addressOf = (server: ServerIdentity, cell: Cell) =>
    `127.0.0.1:${String(grpcPortOf(ports, placeOf(server, cell)))}`
  const seeder = openSeeder({ dir, addressOf, pinProofPrivateKey })
  const makeAll = async (all: readonly Shop[], owners: Secrets['merchants']) => {
    const made: Merchant[] = []
    for (const shop of all) made.push(await insist(() => seeder.make(shop, owners[shop.country])))
    return made
  }
  const merchants = await makeAll(shops, secrets.merchants)
  const inCells = cells === 2 ? await makeAll(cellShops, secrets.cellMerchants) : []
  writeSecrets(dir, {
    ...secrets,
    merchants: withKeys(secrets.merchants, merchants),
    cellMerchants: withKeys(secrets.cellMerchants, inCells),
  })
  seeder.close()
  return [...merchants, ...inCells]
}

function grpcPortOf(ports: Readonly<Record<string, object>>, name: string): number {
  const own = ports[name] ?? {}
  return 'grpc' in own ? Number(own.grpc) : 0
}

/** Repeats a call while a service or its database is too busy to answer, because everything starts at the same time. */
async function insist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isBusy = error instanceof Fault && error.reason === 'unavailable'
      if (!isBusy || performance.now() > deadline) throw error
    }
    await wait(insistEveryMs)
  }
}

export function openSeeder({ dir, addressOf, pinProofPrivateKey }: SeederOptions): Seeder {
  const closers: (() => void)[] = []
  const log = openLog('seed', 'warn')
  const open = <Service>(
    definition: ServiceDefinition,
    [caller, server]: readonly [Caller, ServerIdentity],
    cell = firstCell,
  ) => {
    const identity = openTlsIdentity(identityDirOf(dir, caller), log)
    const at = { address: addressOf(server, cell), whenUnavailable: 'unavailable' } as const
    const { within, close } = openGrpcClient<Service>({ definition, server, identity, ...at })
    closers.push(close)
    return within(deadlineMs)
  }
  const accounts = open<AccountServiceServer>(AccountServiceService, ['auth', 'auth'])
  const keys = open<KeyServiceServer>(KeyServiceService, ['auth', 'keys'])
  const clientsOf = (country: Country): Clients => ({
    ...{ accounts, keys },
    keyCheck: open(KeyServiceService, [`gateway-${country}`, 'keys']),
    ledgerOf: (cell) => open(LedgerServiceService, ['auth', `ledger-${country}`], cell),
  })
  const byCountry = { ke: clientsOf('ke'), ug: clientsOf('ug') }
  return {
    make: (shop, owner) => makeMerchant(shop, owner, byCountry[shop.country], pinProofPrivateKey),
    close() {
      for (const close of closers) close()
    },
  }
}

interface Clients {
  readonly accounts: Calls<AccountServiceServer>
  readonly keys: Calls<KeyServiceServer>
  /** The key service, called with the identity of the gateway. */
  readonly keyCheck: Calls<KeyServiceServer>
  /** The ledger of a cell: a wallet is in the cell of its account. */
  readonly ledgerOf: (cell: Cell) => Calls<LedgerServiceServer>
}

async function makeMerchant(
  shop: Shop,
  own: Owner,
  clients: Clients,
  pinProofPrivateKey: string,
): Promise<Merchant> {
  const { country, username, card } = shop
  const request: CreateAccountRequest = {
    requestId: own.requestId,
    username,
    displayName: shop.displayName,
    homeCountry: country,
    password: own.password,
    pin: own.pin,
    bio: shop.bio,
    theme: shop.theme,
    socialLinks: [],
  }
  const { account } = await clients.accounts.createAccount(request)
  const { accountId = '', cell = firstCell } = account ?? {}
  await clients.ledgerOf(cell).openWallet({ accountId, cardEnabled: card })
  const secretKey = await liveKey(
    own.secretKey,
    provenRequest({ accountId, country, cell }, pinProofPrivateKey),
    clients,
  )
  const { pin, password } = own
  return { country, username, handle: username, secret_key: secretKey, pin, password, card }
}

/** The seed chose the PIN itself a moment ago, and signs as auth does when an owner enters it. */
function provenRequest(
  { cell, ...owner }: Pick<CreateKeyRequest, 'accountId' | 'cell'> & { readonly country: Country },
  privateKey: string,
): CreateKeyRequest {
  const proven = { ...owner, provenAt: new Date(), nonce: randomUUID() }
  const signature = openPinProofSigner(Buffer.from(privateKey, 'hex'))(proven)
  return { ...owner, cell, pinProof: { provenAt: proven.provenAt, nonce: proven.nonce, signature } }
}

/** The key of the last start if it still works, else a new one. */
async function liveKey(
  known: string | undefined,
  request: CreateKeyRequest,
  { keys, keyCheck }: Clients,
): Promise<string> {
  if (known !== undefined) {
    const keySha256 = createHash('sha256').update(known).digest()
    const { accountId } = await keyCheck.verifyKey({ keySha256, country: request.country })
    if (accountId === request.accountId) return known
  }
  return (await keys.createKey(request)).secretKey
}

function withKeys(
  owners: Secrets['merchants'],
  merchants: readonly Merchant[],
): Secrets['merchants'] {
  const keyOf = (country: Country) =>
    merchants.find((merchant) => merchant.country === country)?.secret_key
  const { ke, ug } = owners
  return {
    ke: { ...ke, secretKey: keyOf('ke') ?? ke.secretKey },
    ug: { ...ug, secretKey: keyOf('ug') ?? ug.secretKey },
  }
}
