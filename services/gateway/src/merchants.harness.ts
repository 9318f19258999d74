import { randomBytes } from 'node:crypto'
import {
  type AccountServiceServer,
  AccountServiceService,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import {
  type KeyServiceServer,
  KeyServiceService,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { provenRequest } from '@malipo/contracts/pin-proof.harness'
import { type Cell, firstCell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { systemClock } from '@malipo/runtime/clock'
import { accountCallers } from '../../auth/src/callers'
import { keyCallers } from '../../keys/src/callers'
import type { LedgerDriver } from './ledger-driver.harness'
import { send } from './send.harness'

const password = 'correct horse battery'

export interface Merchant {
  readonly accountId: string
  readonly username: string
  readonly secretKey: string
  readonly cell: Cell
}

const triesMax = 10

/** Asks again while a service that has just begun waits for its database: several stacks begin at one time. */
async function untilAnswered<Answer>(ask: () => Promise<Answer>, tries = 1): Promise<Answer> {
  return ask().catch((error: unknown) => {
    if (tries === triesMax || (error as { reason?: unknown }).reason !== 'unavailable') throw error
    return untilAnswered(ask, tries + 1)
  })
}

/** Plays the account hub for payees. */
export interface Merchants {
  /** Creates an account of this country with a wallet and a live key. */
  merchant(options?: Named & { cardEnabled?: boolean }): Promise<Merchant>
  /** Creates an account of another country, so without a wallet here. */
  foreigner(homeCountry: Country, named?: Named): Promise<Omit<Merchant, 'secretKey'>>
  createKey(accountId: string): Promise<string>
  revokeKey(accountId: string): Promise<void>
  /** Creates a payment link of an account, with its suggested amount. */
  link(
    owner: Pick<Merchant, 'username'>,
    suggested?: { readonly title: string; readonly amountMinor: bigint },
  ): Promise<{ readonly handle: string; close(): Promise<void> }>
  /** Turns payments off for an account, as its owner. */
  takeNoPayments(owner: Pick<Merchant, 'username'>): Promise<void>
  showPicture(owner: Pick<Merchant, 'username'>, url: string): Promise<void>
}

interface Named {
  readonly displayName?: string
  /** By default a name that no other merchant has. */
  readonly username?: string
}

export function openMerchants(options: {
  readonly accountsAddress: string
  /** The auth host's public address. */
  readonly authUrl: string
  readonly keysAddress: string
  readonly country: Country
  /** The ledger of each cell. */
  readonly ledgers: readonly LedgerDriver[]
}): Merchants & { close(): void } {
  const { country, ledgers } = options
  const accounts = openCallsOf<AccountServiceServer>({
    server: 'auth',
    definition: AccountServiceService,
    callers: accountCallers,
    address: options.accountsAddress,
    whenUnavailable: 'unavailable',
  })
  const keys = openCallsOf<KeyServiceServer>({
    server: 'keys',
    definition: KeyServiceService,
    callers: keyCallers,
    address: options.keysAddress,
    whenUnavailable: 'unavailable',
  })
  const createKey = async (accountId: string, cell?: Cell) => {
    const provenAt = new Date(systemClock.now())
    const request = { ...provenRequest({ accountId, country, provenAt }), cell }
    const { secretKey } = await untilAnswered(() => keys.calls.createKey(request))
    return secretKey
  }
  const openAccount = async (
    homeCountry: Country,
    displayName: string,
    username = `M${randomBytes(8).toString('hex')}`,
  ) => {
    const request = {
      requestId: username,
      username,
      displayName,
      homeCountry,
      password,
      pin: '9274',
      bio: '',
      theme: '',
      socialLinks: [],
    }
    const { account } = await untilAnswered(() => accounts.calls.createAccount(request))
    return { accountId: account?.accountId ?? '', username, cell: account?.cell ?? firstCell }
  }
  const hub = `${options.authUrl}/v1/hub`
  const signIn = async (username: string) => {
    const signedIn = await send(`${hub}/sign-in`, { body: { username, password } })
    return {
      cookie: String(signedIn.headers['set-cookie']).split(';')[0] ?? '',
      'x-csrf-token': String(signedIn.body.data.csrf_token),
    }
  }
  const editProfile = async (username: string, changes: object) => {
    const headers = await signIn(username)
    const body = { display_name: 'Shop', bio: [], theme: 'light', social_links: [], ...changes }
    await send(`${hub}/profile`, { method: 'PUT', body, headers })
  }
  return {
    createKey,
    async revokeKey(accountId) {
      await keys.calls.revokeKey({ accountId })
    },
    async merchant({ cardEnabled = false, displayName = 'Mama Njeri Groceries', username } = {}) {
      const account = await openAccount(country, displayName, username)
      const { accountId, cell } = account
      await ledgers[cell]?.openWallet({ accountId, cardEnabled })
      return { ...account, secretKey: await createKey(accountId, cell) }
    },
    foreigner: (homeCountry, { displayName = 'Shop abroad', username } = {}) =>
      openAccount(homeCountry, displayName, username),
    async link({ username }, suggested) {
      const headers = await signIn(username)
      const { title, amountMinor } = suggested ?? {}
      const body = {
        request_id: randomBytes(8).toString('hex'),
        title,
        amount: amountMinor?.toString(),
      }
      const made = await send(`${hub}/links`, { body, headers })
      const handle = String(made.body.data.handle)
      const close = async () => {
        await send(`${hub}/links/${handle}/close`, { method: 'POST', headers })
      }
      return { handle, close }
    },
    async takeNoPayments({ username }) {
      await editProfile(username, { display_name: 'Closed', accepts_payments: false })
    },
    async showPicture({ username }, url) {
      await editProfile(username, { profile_image_url: url, accepts_payments: true })
    },
    close() {
      accounts.close()
      keys.close()
    },
  }
}
