import { eventually } from '@malipo/testing/eventually'
import type { ContractStack } from './contract-stack'
import { dataOf, newAddress, newKey, type Reply, type Request, send } from './wire'

type Country = 'ke' | 'ug'

/** The requests that nearly every test makes. */
export interface Shop {
  create(
    body: unknown,
    more?: Omit<Request, 'body'> & { country?: Country; key?: string },
  ): Promise<Reply>
  retrieve(id: string, more?: { country?: Country; key?: string }): Promise<Reply>
  /** A new checkout, as the merchant reads it. */
  checkout(
    body?: object,
    more?: { country?: Country; key?: string },
  ): Promise<Record<string, unknown> & { id: string; url: string }>
  /** The merchant's view. */
  view(id: string, more?: { country?: Country; key?: string }): Promise<Record<string, unknown>>
  read(id: string, country?: Country): Promise<Reply>
  pay(id: string, body: unknown, more?: Request & { country?: Country }): Promise<Reply>
  card(id: string, more?: Request & { country?: Country }): Promise<Reply>
  intent(id: string, country?: Country): Promise<Reply>
  /** Polls an intent until it has this status. */
  untilIntent(id: string, status: string, country?: Country): Promise<Record<string, unknown>>
}

const settledWithinMs = 60_000
const pollEveryMs = 250

export function openShop(given: () => ContractStack): Shop {
  const merchant = (country: Country) => `${given().hosts[country].baseUrl}/v1/payments/merchant`
  const open = (country: Country) => `${given().hosts[country].baseUrl}/v1/payments/public`
  const bearer = (country: Country, key = given().demo[country].secretKey) => ({
    authorization: `Bearer ${key}`,
  })
  const create: Shop['create'] = (body, { country = 'ke', key, headers, ...more } = {}) =>
    send(`${merchant(country)}/checkouts`, {
      method: 'POST',
      body,
      headers: { ...bearer(country, key), ...headers },
      ...more,
    })
  const retrieve: Shop['retrieve'] = (id, { country = 'ke', key } = {}) =>
    send(`${merchant(country)}/checkouts/${id}`, { headers: bearer(country, key) })
  const intent: Shop['intent'] = (id, country = 'ke') =>
    send(`${open(country)}/intents/${id}`, { headers: newAddress() })
  const post = (
    path: string,
    { country = 'ke', headers, ...more }: Request & { country?: Country },
  ) =>
    send(open(country) + path, {
      method: 'POST',
      headers: { ...newAddress(), ...newKey(), ...headers },
      ...more,
    })
  return {
    create,
    retrieve,
    async checkout(body = { amount: 150_000 }, more = {}) {
      const reply = await create(body, more)
      if (reply.status >= 300) throw new Error(`No checkout: ${reply.text}`)
      return reply.json.data as Record<string, unknown> & { id: string; url: string }
    },
    async view(id, more) {
      return dataOf(await retrieve(id, more), { status: 200, description: 'Checkout' })
    },
    read: (id, country = 'ke') =>
      send(`${open(country)}/checkouts/${id}`, { headers: newAddress() }),
    pay: (id, body, more = {}) => post(`/checkouts/${id}/pay`, { body, ...more }),
    card: (id, more = {}) => post(`/checkouts/${id}/card`, { body: {}, ...more }),
    intent,
    untilIntent: (id, status, country = 'ke') =>
      eventually(
        `the intent reads ${status}`,
        async () => {
          const reply = await intent(id, country)
          return reply.json.data?.['status'] === status ? reply.json.data : undefined
        },
        settledWithinMs,
        pollEveryMs,
      ),
  }
}
