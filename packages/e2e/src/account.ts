import { randomBytes, randomUUID } from 'node:crypto'
import type { Country } from '@malipo/kernel/countries'
import type { StackFile } from '@malipo/stack/stack-file'
import { ask } from './http'

/** An account that can be paid, and the key of its server. */
export interface Account {
  readonly secretKey: string
  readonly username: string
  /** Makes another key, which replaces the first. */
  replaceKey(): Promise<string>
  revokeKey(): Promise<void>
}

const pin = '482913'

/** Signs up at the account hub, as a new merchant does. */
export async function signUp(stack: StackFile, country: Country): Promise<Account> {
  const hub = `${stack.hosts[country].auth_url}/v1/hub`
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
