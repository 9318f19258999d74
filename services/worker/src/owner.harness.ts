export const password = 'correct horse battery'
export const pin = '9274'
/** The hub's public URL. */
export const origin = 'http://127.0.0.1'

/** An endpoint for events, and the secret that signs them. */
export interface Webhook {
  readonly endpointId: string
  readonly secret: string
  /** Makes a new secret; the previous one stays valid. */
  rotate(): Promise<string>
}

interface Answer {
  readonly csrf_token: string
  readonly endpoint_id: string
  readonly secret: string
}

/** An account's owner, signed in at the hub. */
export async function openOwner(url: string, username: string) {
  let headers: Record<string, string> = { origin, 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<Answer> => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1/hub${path}`, request)
    const { data } = (await response.json()) as { data: Answer }
    const cookies = response.headers.getSetCookie().map((set) => set.split(';')[0])
    if (cookies.length > 0) headers = { ...headers, cookie: cookies.join('; ') }
    return data
  }
  const { csrf_token: token } = await post('/sign-in', { username, password })
  headers = { ...headers, 'x-csrf-token': token }
  return {
    async listen(address: string): Promise<Webhook> {
      const { endpoint_id: endpointId, secret } = await post('/webhooks', { pin, url: address })
      return {
        endpointId,
        secret,
        rotate: async () => (await post(`/webhooks/${endpointId}/rotate`, { pin })).secret,
      }
    },
  }
}
