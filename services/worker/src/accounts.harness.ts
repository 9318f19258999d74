import { randomBytes } from 'node:crypto'
import {
  AccountServiceClient,
  type CreateAccountResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { LedgerServiceClient } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { openTestClient } from '@malipo/runtime/calls.harness'
import { systemClock } from '@malipo/runtime/clock'
import { openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { cloneDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from '../../auth/src/config'
import { start } from '../../auth/src/start'
import { secretHex } from './gateway.harness'
import { origin, openOwner, password, pin, type Webhook } from './owner.harness'

/** A real accounts service, and the payees that tests create in it. */
export interface Accounts {
  readonly address: string
  /** Creates an account with a handle, and with a wallet in its own country. */
  add(homeCountry?: Country): Promise<{ readonly accountId: string; readonly handle: string }>
  /** Sends an account's events to an address, as its owner sets in the hub. */
  listen(handle: string, url: string): Promise<Webhook>
  /** Stops the service; `comeBack` starts it again at the same address. */
  leave(): Promise<void>
  comeBack(): Promise<void>
  stop(): Promise<void>
}

export async function openAccounts(ledgerAddress: string): Promise<Accounts> {
  const database = await cloneDatabase('auth')
  const run = (port: number) =>
    start(
      readConfig({
        PORT: '0',
        GRPC_PORT: String(port),
        ADMIN_PORT: '0',
        DATABASE_URL: database.url,
        TLS_DIR: testIdentityDir('auth'),
        CREDENTIAL_PEPPER: secretHex,
        PIN_PROOF_PRIVATE_KEY: secretHex,
        AUTH_URL: origin,
        KEYS_ADDRESS: ledgerAddress,
        LEDGER_KE_ADDRESS: ledgerAddress,
        LEDGER_UG_ADDRESS: '127.0.0.1:9',
        PAYMENTS_KE_URL: 'http://127.0.0.1',
        PAYMENTS_UG_URL: 'http://127.0.0.1',
      }),
      openLog('test', 'silent'),
    )
  let running = await run(0)
  const port = running.ports['grpc'] ?? 0
  const address = `127.0.0.1:${String(port)}`
  const accounts = openTestClient(AccountServiceClient, { server: 'auth', address }, 'auth')
  const ledger = openTestClient(
    LedgerServiceClient,
    { server: 'ledger-ke', address: ledgerAddress },
    'auth',
  )
  const call = openCall('unavailable')
  return {
    address,
    async add(homeCountry = 'ke') {
      const handle = `Mama-${randomBytes(5).toString('hex')}`
      const made = await call<CreateAccountResponse>(5_000, (metadata, options, done) =>
        accounts.createAccount(
          {
            requestId: handle,
            username: handle,
            displayName: 'Mama Mboga',
            homeCountry,
            password,
            pin,
            bio: '',
            theme: '',
            socialLinks: [],
          },
          metadata,
          options,
          done,
        ),
      )
      const accountId = made.account?.accountId ?? ''
      if (homeCountry === 'ke') {
        await call(5_000, (metadata, options, done) =>
          ledger.openWallet({ accountId, cardEnabled: false }, metadata, options, done),
        )
      }
      return { accountId, handle }
    },
    listen: async (handle, url) =>
      (await openOwner(`http://127.0.0.1:${String(running.ports['http'])}`, handle)).listen(url),
    leave: () => running.stop(),
    async comeBack() {
      running = await run(port)
      await new Promise<void>((resolve, reject) => {
        accounts.waitForReady(systemClock.now() + 10_000, (error) => {
          if (error) reject(error)
          else resolve()
        })
      })
    },
    async stop() {
      accounts.close()
      ledger.close()
      await running.stop()
      await database.drop()
    },
  }
}
