import { basic, mtnMomo, type Answer, type RunningSimulator } from '../../start.harness'

export const fatuma = '256772123456'
export const referenceId = '0f4c8a5d-2b7e-44f1-8c9a-6d3e8b000000'

export function mtnClient(sim: RunningSimulator) {
  const subscribed = { 'ocp-apim-subscription-key': mtnMomo.subscriptionKey }
  const environment = { 'x-target-environment': mtnMomo.targetEnvironment }

  const token = async (
    apiUser = mtnMomo.apiUser,
    apiKey = mtnMomo.apiKey,
    product = 'collection',
  ): Promise<string> => {
    const headers = { ...subscribed, authorization: basic(apiUser, apiKey) }
    const { body } = await sim.wire('POST', `/${product}/token/`, { headers })
    return String(body.access_token)
  }

  return {
    subscribed,
    token,

    /** Asks Fatuma for 5,000 shillings, unless `changes` say otherwise. */
    async pay(changes: PayChanges = {}): Promise<Answer> {
      const { headers, ...fields } = changes
      return sim.wire('POST', '/collection/v1_0/requesttopay', {
        token: await token(),
        headers: { ...subscribed, ...environment, 'x-reference-id': referenceId, ...headers },
        body: JSON.stringify({
          amount: '5000',
          currency: 'UGX',
          externalId: 'A1B2C3D4E5F6',
          payer: { partyIdType: 'MSISDN', partyId: fatuma },
          payerMessage: 'Payment',
          payeeNote: 'Payment',
          ...fields,
        }),
      })
    },

    /** Sends Fatuma 5,000 shillings, unless `changes` say otherwise. */
    async transfer(product: string, changes: PayChanges = {}): Promise<Answer> {
      const { headers, ...fields } = changes
      return sim.wire('POST', `/${product}/v1_0/transfer`, {
        token: await token(undefined, undefined, product),
        headers: { ...subscribed, ...environment, 'x-reference-id': referenceId, ...headers },
        body: JSON.stringify({
          amount: '5000',
          currency: 'UGX',
          externalId: 'A1B2C3D4E5F6',
          payee: { partyIdType: 'MSISDN', partyId: fatuma },
          payerMessage: 'Payout',
          payeeNote: 'Payout',
          ...fields,
        }),
      })
    },

    /** Reads a path of a product, such as `/account/balance`, with a token of `tokenOf`. */
    async read(product: string, path: string, tokenOf = product): Promise<Answer> {
      return sim.wire('GET', `/${product}/v1_0${path}`, {
        token: await token(undefined, undefined, tokenOf),
        headers: { ...subscribed, ...environment },
      })
    },

    async status(reference = referenceId): Promise<Answer> {
      return sim.wire('GET', `/collection/v1_0/requesttopay/${reference}`, {
        token: await token(),
        headers: { ...subscribed, ...environment },
      })
    },
  }
}

export interface PayChanges {
  readonly headers?: Record<string, string>
  readonly [field: string]: unknown
}

export const from = (msisdn: string) => ({ payer: { partyIdType: 'MSISDN', partyId: msisdn } })
