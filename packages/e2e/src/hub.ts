import { randomUUID } from 'node:crypto'
import type { Country } from '@malipo/kernel/countries'
import type { StackFile } from '@malipo/stack/stack-file'
import { ask } from './http'

/** A merchant at the account hub, signed in. */
export interface Hub {
  /** Makes a link. Returns its address. */
  createLink(suggested?: { readonly title: string; readonly amount: string }): Promise<string>
  /** What is in the wallet, in minor units. */
  balance(): Promise<bigint>
  /** The row of a checkout in the CSV file, by the names of its columns. */
  fileRow(checkoutId: string): Promise<Readonly<Record<string, string>>>
}

interface LinkMade {
  readonly data: { readonly handle: string }
}

interface WalletRead {
  readonly data: { readonly wallet: { readonly balance: string } | null }
}

export async function openHub(stack: StackFile, country: Country): Promise<Hub> {
  const merchant = stack.merchants.find((candidate) => candidate.country === country)
  if (merchant === undefined) throw new Error(`The stack has no merchant of ${country}`)
  const base = `${stack.hosts[country].auth_url}/v1/hub`
  const headers = await signIn(base, merchant)
  return {
    async createLink(suggested) {
      const body = { request_id: randomUUID(), ...suggested }
      const made = await ask<LinkMade>(`${base}/links`, { method: 'POST', headers, body })
      if (made.status !== 201) throw new Error(`No link: ${JSON.stringify(made)}`)
      return made.body.data.handle
    },
    async balance() {
      const { body } = await ask<WalletRead>(`${base}/wallet`, { headers })
      return BigInt(body.data.wallet?.balance ?? '0')
    },
    async fileRow(checkoutId) {
      const answer = await fetch(`${base}/checkouts.csv`, { headers })
      const [head = '', ...rows] = (await answer.text()).replace('\ufeff', '').split('\r\n')
      // The split at commas is enough for checkouts whose texts have none.
      const cells = rows.find((row) => row.startsWith(checkoutId))?.split(',') ?? []
      return Object.fromEntries(head.split(',').map((name, place) => [name, cells[place] ?? '']))
    },
  }
}

async function signIn(
  base: string,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<Record<string, string>> {
  const response = await fetch(`${base}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { data } = (await response.json()) as { data: { csrf_token: string } }
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, 'x-csrf-token': data.csrf_token }
}
