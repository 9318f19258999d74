import { eventually } from '@malipo/testing/eventually'
import { amina, mpesa, type Receiver, type RunningSimulator } from '../../start.harness'

/** Orders of the short code's operator, as its merchant gives them. */
export function orderClient(sim: RunningSimulator, receiver: Receiver) {
  const { initiator, securityCredential } = mpesa.operator ?? {}
  const order = async (path: string, fields: Record<string, unknown>) =>
    sim.wire('POST', path, {
      token: await sim.token(),
      body: JSON.stringify({
        Initiator: initiator,
        SecurityCredential: securityCredential,
        ResultURL: `${receiver.url}/result`,
        QueueTimeOutURL: `${receiver.url}/late`,
        Remarks: 'An order',
        ...fields,
      }),
    })
  const shortCode = mpesa.shortCode

  return {
    balance: (fields: Record<string, unknown> = {}) =>
      order('/mpesa/accountbalance/v1/query', {
        CommandID: 'AccountBalance',
        PartyA: shortCode,
        IdentifierType: '4',
        ...fields,
      }),

    /** 500 shillings to Amina, unless `fields` say otherwise. */
    payCustomer: (fields: Record<string, unknown> = {}, version = 'v3') =>
      order(`/mpesa/b2c/${version}/paymentrequest`, {
        OriginatorConversationID: 'order-1',
        CommandID: 'BusinessPayment',
        Amount: 500,
        PartyA: shortCode,
        PartyB: amina,
        Occasion: 'June',
        ...fields,
      }),

    /** 500 shillings to the business 600000, unless `fields` say otherwise. */
    payBusiness: (fields: Record<string, unknown> = {}) =>
      order('/mpesa/b2b/v1/paymentrequest', {
        CommandID: 'BusinessPayBill',
        SenderIdentifierType: '4',
        RecieverIdentifierType: '4',
        Amount: 500,
        PartyA: shortCode,
        PartyB: '600000',
        AccountReference: 'INV1',
        ...fields,
      }),

    reverse: (fields: Record<string, unknown>) =>
      order('/mpesa/reversal/v1/request', {
        CommandID: 'TransactionReversal',
        ReceiverParty: shortCode,
        RecieverIdentifierType: '11',
        ...fields,
      }),

    /** The next result that came to an address. */
    async result() {
      const text = await eventually('a result', () => receiver.received.shift())
      return JSON.parse(text).Result
    },

    book: async () => (await sim.control('GET', '/book')).body,
  }
}

/** The value of one of a result's parameters. */
export function parameterOf(result: Result, name: string): unknown {
  return result.ResultParameters.ResultParameter.find(({ Key }) => Key === name)?.Value
}

interface Result {
  readonly ResultParameters: {
    readonly ResultParameter: readonly { readonly Key: string; readonly Value: unknown }[]
  }
}
