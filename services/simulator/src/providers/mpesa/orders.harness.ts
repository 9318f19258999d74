import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { amina, mpesa, openReceiver, startSimulator } from '../../start.harness'

/** Starts a simulator for each test of a file, and gives the orders of the short code's operator as a merchant does. */
export function operatorOfEachTest() {
  const sim = ofTest(() => startSimulator())
  const receiver = ofTest(() => openReceiver())

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
    sim: () => sim,

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

    status: (fields: Record<string, unknown>) =>
      order('/mpesa/transactionstatus/v1/query', {
        CommandID: 'TransactionStatusQuery',
        PartyA: shortCode,
        IdentifierType: '4',
        ...fields,
      }),

    /** The statement of the hour in which the simulator starts. */
    async statement() {
      const times = { StartDate: '2026-11-20 14:00:00', EndDate: '2026-11-20 15:00:00' }
      const body = JSON.stringify({ ShortCode: shortCode, ...times, OffSetValue: '0' })
      const token = await sim.token()
      return (await sim.wire('POST', '/pulltransactions/v1/query', { token, body })).body
    },

    /** The next result that was sent to the merchant. */
    async result() {
      const text = await eventually('a result', () => receiver.received.shift())
      return JSON.parse(text).Result
    },

    book: async () => (await sim.control('GET', '/book')).body,
  }
}

export function parameterOf(result: Result, name: string): unknown {
  return result.ResultParameters.ResultParameter.find(({ Key }) => Key === name)?.Value
}

interface Result {
  readonly ResultParameters: {
    readonly ResultParameter: readonly { readonly Key: string; readonly Value: unknown }[]
  }
}
