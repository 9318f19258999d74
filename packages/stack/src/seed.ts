import { createHash, randomUUID } from 'node:crypto'
import type { ChannelCredentials, Client, ClientOptions } from '@grpc/grpc-js'
import {
  AccountServiceClient,
  type CreateAccountRequest,
  type CreateAccountResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import {
  type CreateKeyRequest,
  type CreateKeyResponse,
  KeyServiceClient,
  type VerifyKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { openPinProofSigner } from '@malipo/contracts/pin-proof'
import { LedgerServiceClient } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import type { Caller, ServerIdentity } from '@malipo/runtime/caller-identity'
import { type Call, clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { identityDirOf } from './certificates'
import type { Ports } from './ports'
import { type Secrets, writeSecrets } from './secrets'
import type { Merchant } from './stack-file'

export interface SeedOptions {
  readonly dir: string
  readonly secrets: Secrets
  readonly ports: Ports
}

/** Hashing a password and a PIN takes its time on purpose, and a small machine starts nine processes beside it. */
const deadlineMs = 30_000

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
] as const

type Shop = (typeof shops)[number]

/**
 * The two demo merchants, made through the services' own calls, each as the process that makes it. Doing it again changes nothing: the account by its
 * request id, the wallet by its account, and the key because it is kept in the stack's secrets while it still works.
 */
export async function seed({ dir, secrets, ports }: SeedOptions): Promise<Merchant[]> {
  const clients: Client[] = []
  const log = openLog('seed', 'warn')
  const open = <Kind extends Client>(
    Kind: new (address: string, shown: ChannelCredentials, options: ClientOptions) => Kind,
    [caller, server]: readonly [Caller, ServerIdentity],
  ) => {
    const { channel } = openTlsIdentity(identityDirOf(dir, caller), log)
    const { grpc } = ports[server]
    const client = new Kind(`127.0.0.1:${String(grpc)}`, channel, clientOptionsTo(server))
    clients.push(client)
    return client
  }
  const accounts = open(AccountServiceClient, ['auth', 'auth'])
  const keys = open(KeyServiceClient, ['auth', 'keys'])
  const call = openCall('internal')
  const merchants: Merchant[] = []
  for (const shop of shops) {
    const { country } = shop
    const ledger = open(LedgerServiceClient, ['auth', `ledger-${country}`])
    const keyCheck = open(KeyServiceClient, [`gateway-${country}`, 'keys'])
    merchants.push(await seedShop(shop, secrets, { call, accounts, keys, keyCheck, ledger }))
  }
  writeSecrets(dir, withKeys(secrets, merchants))
  for (const client of clients) client.close()
  return merchants
}

interface Doors {
  readonly call: Call
  readonly accounts: AccountServiceClient
  readonly keys: KeyServiceClient
  /** The same service, as the gateway calls it. */
  readonly keyCheck: KeyServiceClient
  readonly ledger: LedgerServiceClient
}

async function seedShop(shop: Shop, secrets: Secrets, doors: Doors): Promise<Merchant> {
  const { country, username, card } = shop
  const own = secrets.merchants[country]
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
  const { account } = await doors.call<CreateAccountResponse>(
    deadlineMs,
    (metadata, options, done) => doors.accounts.createAccount(request, metadata, options, done),
  )
  const accountId = account?.accountId ?? ''
  await doors.call(deadlineMs, (metadata, options, done) =>
    doors.ledger.openWallet({ accountId, cardEnabled: card }, metadata, options, done),
  )
  const secretKey = await liveKey(
    own.secretKey,
    provenRequest({ accountId, country }, secrets.pinProofPrivateKey),
    doors,
  )
  const { pin, password } = own
  return { country, username, handle: username, secret_key: secretKey, pin, password, card }
}

/** The seed chose the PIN itself a moment ago, and signs as auth does when an owner enters it. */
function provenRequest(
  owner: { readonly accountId: string; readonly country: Country },
  privateKey: string,
): CreateKeyRequest {
  const proven = { ...owner, provenAt: new Date(), nonce: randomUUID() }
  const signature = openPinProofSigner(Buffer.from(privateKey, 'hex'))(proven)
  return { ...owner, pinProof: { provenAt: proven.provenAt, nonce: proven.nonce, signature } }
}

/** The key of the last start if it still works, else a new one. */
async function liveKey(
  known: string | undefined,
  request: CreateKeyRequest,
  { call, keys, keyCheck }: Doors,
): Promise<string> {
  if (known !== undefined) {
    const keySha256 = createHash('sha256').update(known).digest()
    const { accountId } = await call<VerifyKeyResponse>(deadlineMs, (metadata, options, done) =>
      keyCheck.verifyKey({ keySha256, country: request.country }, metadata, options, done),
    )
    if (accountId === request.accountId) return known
  }
  const { secretKey } = await call<CreateKeyResponse>(deadlineMs, (metadata, options, done) =>
    keys.createKey(request, metadata, options, done),
  )
  return secretKey
}

function withKeys(secrets: Secrets, merchants: readonly Merchant[]): Secrets {
  const keyOf = (country: Country) =>
    merchants.find((merchant) => merchant.country === country)?.secret_key
  return {
    ...secrets,
    merchants: {
      ke: { ...secrets.merchants.ke, secretKey: keyOf('ke') },
      ug: { ...secrets.merchants.ug, secretKey: keyOf('ug') },
    },
  }
}
