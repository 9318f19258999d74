import { randomBytes, randomUUID } from 'node:crypto'
import type { Country } from '@malipo/kernel/countries'
import { enterFixture } from '../fixture'
import { ask } from '../http'
import { openHub } from '../hub'
import { type RunningStack, startStack } from '../running-stack'
import type { Simulator } from '../simulator'

/** An account that can be paid, and the key of its server. */
export interface Account {
  readonly secretKey: string
  readonly username: string
  /** Makes another key, which replaces the first. */
  replaceKey(): Promise<string>
  revokeKey(): Promise<void>
}

/**
 * What the suite of the contract is given: two payments hosts, accounts, phones, and services that can be stopped. The
 * tests beside this file speak HTTP to the hosts and know nothing else of the project; how the rest comes about is here.
 */
export interface ContractStack {
  readonly hosts: Readonly<Record<Country, { readonly baseUrl: string; readonly authUrl: string }>>
  /** The demo merchant of a country: cards are on. */
  readonly demo: Readonly<
    Record<Country, { readonly secretKey: string; readonly username: string }>
  >
  readonly phones: Readonly<Record<Country, Simulator>>
  newAccount(country: Country): Promise<Account>
  newLink(suggested?: { readonly title: string; readonly amount: string }): Promise<string>
  /** Stops a service without ending it, so that it does not answer. Returns what lets it go on. */
  freeze(service: 'keys' | 'ledger-ke'): () => void
  stop(): Promise<void>
}

export async function startContractStack(
  environment: Readonly<Record<string, string>> = {},
): Promise<ContractStack> {
  const stack = await startStack(environment)
  const fixtures = { ke: enterFixture(stack, 'ke'), ug: enterFixture(stack, 'ug') }
  const host = (country: Country) => ({
    baseUrl: stack.file.hosts[country].base_url,
    authUrl: stack.file.hosts[country].auth_url,
  })
  const demo = (country: Country) => {
    const merchant = stack.file.merchants.find((candidate) => candidate.country === country)
    if (merchant === undefined) throw new Error(`The stack has no merchant of ${country}`)
    return { secretKey: merchant.secret_key, username: merchant.username }
  }
  return {
    hosts: { ke: host('ke'), ug: host('ug') },
    demo: { ke: demo('ke'), ug: demo('ug') },
    phones: { ke: fixtures.ke.simulator, ug: fixtures.ug.simulator },
    newAccount: (country) => signUp(stack, country),
    newLink: async (suggested) => (await openHub(stack.file, 'ke')).createLink(suggested),
    freeze(service) {
      stack.signal(service, 'SIGSTOP')
      return () => {
        stack.signal(service, 'SIGCONT')
      }
    },
    async stop() {
      await Promise.all(Object.values(fixtures).map((fixture) => fixture.close()))
      await stack.stop()
    },
  }
}

const pin = '482913'

async function signUp(stack: RunningStack, country: Country): Promise<Account> {
  const hub = `${stack.file.hosts[country].auth_url}/v1/hub`
  const username = `t${randomBytes(6).toString('hex')}`
  const response = await fetch(`${hub}/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      request_id: randomUUID(),
      username,
      display_name: 'Tumaini Traders',
      home_country: country.toUpperCase(),
      password: randomBytes(12).toString('base64url'),
    }),
  })
  const { data } = (await response.json()) as { data?: { csrf_token: string } }
  if (data === undefined) throw new Error(`No account: ${String(response.status)}`)
  const headers = {
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    'x-csrf-token': data.csrf_token,
  }
  const post = (path: string, body: object) =>
    ask<{ data: { secret_key: string } }>(hub + path, { method: 'POST', headers, body })
  await post('/pin', { pin })
  const createKey = async () => (await post('/keys', { pin })).body.data.secret_key
  return {
    username,
    secretKey: await createKey(),
    replaceKey: createKey,
    async revokeKey() {
      await post('/keys/revoke', {})
    },
  }
}
