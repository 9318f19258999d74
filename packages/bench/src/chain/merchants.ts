import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cell } from '@malipo/kernel/cells'
import { placeOf } from '@malipo/stack/cells/place-of'
import { readSecrets } from '@malipo/stack/secrets'
import { openSeeder, type Shop } from '@malipo/stack/seed'
import type { StackFile } from '@malipo/stack/stack-file'
import { openProgress } from '@malipo/testing/command'
import { Connection } from '../connection'
import type { Payer } from './payers'
import { create, pay } from './units'

/** Under the 120 requests in 60 seconds that the interface allows an account. */
const requestsMax = 100
const pauseMs = 61_000

/** A merchant's key, and two of its checkouts for requests to read. */
export interface Account {
  readonly secretKey: string
  /** A checkout that waits for its payer. */
  readonly openId: string
  /** A checkout that was paid. */
  readonly paidId: string
}

interface Kept extends Account {
  /** When the account may send again, by `performance.now()`. */
  freeAtMs: number
}

/** Merchants, each of which sends no more requests than the interface allows an account. */
export interface Merchants {
  /** Waits until the limits allow `requests` more, and calls `use`, which sends request `n` by `accountOf(n)`. */
  withBudget<Result>(
    requests: number,
    use: (accountOf: (request: number) => Account) => Promise<Result>,
  ): Promise<Result>
}

export interface MerchantsOptions {
  readonly file: StackFile
  readonly dir: string
  readonly port: number
  readonly count: number
  readonly nextPayer: () => Payer
}

export async function makeMerchants(options: MerchantsOptions): Promise<Merchants> {
  const { file, dir, count, port } = options
  const { pinProofPrivateKey } = readSecrets(dir)
  const addressOf = (server: string, cell: Cell) =>
    file.processes[placeOf(server, cell)]?.address ?? ''
  const seeder = openSeeder({ dir, addressOf, pinProofPrivateKey })
  const show = openProgress('merchants made', count)
  const accounts: Kept[] = []
  const connection = new Connection(port)
  while (accounts.length < count) {
    const { secret_key: secretKey } = await seeder.make(shopOf(accounts.length), owner())
    const { id: openId } = await create(connection, secretKey)
    const { id: paidId } = await pay(connection, { secretKey, ...options.nextPayer() })
    accounts.push({ secretKey, openId, paidId, freeAtMs: performance.now() + pauseMs })
    show(accounts.length)
  }
  connection.close()
  seeder.close()
  return {
    async withBudget(requests, use) {
      const taken = await takeFree(accounts, Math.ceil(requests / requestsMax))
      const result = await use((request) => {
        const account = taken[Math.floor(request / requestsMax)]
        if (account === undefined) throw new Error('more is sent than was asked for')
        return account
      })
      for (const account of taken) account.freeAtMs = performance.now() + pauseMs
      return result
    },
  }
}

async function takeFree(accounts: readonly Kept[], count: number): Promise<readonly Kept[]> {
  if (count > accounts.length) throw new Error(`--merchants ${String(count)} at least are needed`)
  const soonest = [...accounts].sort((one, other) => one.freeAtMs - other.freeAtMs).slice(0, count)
  await wait(Math.max(0, (soonest.at(-1)?.freeAtMs ?? 0) - performance.now()))
  return soonest
}

function shopOf(index: number): Shop {
  return {
    country: 'ke',
    username: `bench-${String(index)}`,
    displayName: `Shop ${String(index)}`,
    bio: '',
    theme: 'dark',
    card: false,
  }
}

const owner = () => ({
  requestId: randomUUID(),
  pin: '483920',
  password: randomBytes(12).toString('hex'),
})
