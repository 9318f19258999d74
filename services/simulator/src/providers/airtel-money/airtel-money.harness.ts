import { airtelMoney, type Answer, type RunningSimulator } from '../../start.harness'

export const joan = '256752123456'
export const paymentId = '0f4c8a5d2b7e4f1c9a6d3e8b'
export const inUganda = { 'x-country': 'UG', 'x-currency': 'UGX' }

export function airtelClient(sim: RunningSimulator) {
  const askToken = (changes: object = {}): Promise<Answer> =>
    sim.wire('POST', '/auth/oauth2/token', {
      body: JSON.stringify({
        client_id: airtelMoney.clientId,
        client_secret: airtelMoney.clientSecret,
        grant_type: 'client_credentials',
        ...changes,
      }),
    })
  const token = async () => String((await askToken()).body.access_token)

  return {
    askToken,
    token,

    /** A payment of 5,000 shillings from Joan, with overrides. */
    async pay(changes: PaymentChanges = {}): Promise<Answer> {
      const { id = paymentId, amount = 5_000, msisdn = joan.slice(3), headers = {} } = changes
      return sim.wire('POST', '/merchant/v1/payments/', {
        token: await token(),
        headers: { ...inUganda, ...headers },
        body: JSON.stringify({
          reference: 'A1B2C3D4E5F6',
          subscriber: { country: 'UG', currency: 'UGX', msisdn },
          transaction: { amount, country: 'UG', currency: 'UGX', id },
        }),
      })
    },

    /** 1,000 shillings to Joan, with overrides. */
    async payOut(changes: PayoutChanges, version = 'v2'): Promise<Answer> {
      const { id = 'payout-1', amount = 1_000, msisdn = joan.slice(3), pin } = changes
      return sim.wire('POST', `/standard/${version}/disbursements/`, {
        token: await token(),
        headers: inUganda,
        body: JSON.stringify({
          payee: { msisdn, currency: 'UGX' },
          reference: 'A1B2C3',
          pin,
          transaction: { amount, id, type: 'B2C' },
        }),
      })
    },

    async giveBack(receipt: string): Promise<Answer> {
      return sim.wire('POST', '/standard/v1/payments/refund', {
        token: await token(),
        headers: inUganda,
        body: JSON.stringify({ transaction: { airtel_money_id: receipt } }),
      })
    },

    async read(path: string): Promise<Answer> {
      return sim.wire('GET', path, { token: await token(), headers: inUganda })
    },

    async enquire(id = paymentId): Promise<Answer> {
      return sim.wire('GET', `/standard/v1/payments/${id}`, {
        token: await token(),
        headers: inUganda,
      })
    },
  }
}

export interface PayoutChanges {
  readonly id?: unknown
  readonly amount?: unknown
  readonly msisdn?: unknown
  readonly pin: unknown
}

export interface PaymentChanges {
  readonly id?: unknown
  readonly amount?: unknown
  readonly msisdn?: unknown
  readonly headers?: Record<string, string>
}
