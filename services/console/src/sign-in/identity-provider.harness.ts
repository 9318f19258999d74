import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const client = { clientId: 'malipo-console', clientSecret: 'secret-of-the-console-client' }

/** A real identity provider, at which anyone may sign in under any name. */
export interface IdentityProvider {
  readonly issuer: string
  /** Follows the console's redirect through the provider's forms. Returns the address that leads back from there. */
  signIn(authorizationUrl: string, subject: string): Promise<string>
  stop(): Promise<void>
}

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    cookies: { keys: ['of-a-test'] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return { issuer, signIn: (url, subject) => walk(url, subject, issuer), stop: () => stop(server) }
}

async function walk(url: string, subject: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let [at, body]: [string, URLSearchParams | undefined] = [url, undefined]
  for (let steps = 0; steps < 12 && at.startsWith(issuer); steps += 1) {
    const answer = await step(at, body, cookies)
    const location = answer.headers.get('location')
    if (location !== null) {
      at = new URL(location, issuer).href
      body = undefined
    } else {
      const prompt = /name="prompt" value="(\w+)"/.exec(await answer.text())?.[1] ?? ''
      body = new URLSearchParams({ prompt, login: subject, password: 'any' })
    }
  }
  if (at.startsWith(issuer)) throw new Error('the provider never sent the browser back')
  return at
}

async function step(at: string, body: URLSearchParams | undefined, cookies: Map<string, string>) {
  const answer = await fetch(at, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { cookie: [...cookies.values()].join('; ') },
    ...(body !== undefined && { body }),
  })
  for (const set of answer.headers.getSetCookie()) {
    const [pair = ''] = set.split(';')
    cookies.set(pair.split('=')[0] ?? '', pair)
  }
  return answer
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
}
