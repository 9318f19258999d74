import type { Country } from '@malipo/kernel/countries'
import { enterFixture } from '../fixture'
import { type Account, signUp } from '../account'
import { openHub } from '../hub'
import { startStack } from '../running-stack'
import type { Simulator } from '../simulator'

export type { Account }

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
    newAccount: (country) => signUp(stack.file, country),
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
