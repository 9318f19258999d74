import { addressOf, bodyOf, Connection, requestOf, statusOf } from '../connection'

/** A few of the 120 requests a minute of an account: the merchant makes checkouts during the load, too. */
const checkouts = 20

/** Checkouts that are read by the load. */
export async function createCheckouts(at: {
  readonly port: number
  readonly secretKey: string
}): Promise<readonly string[]> {
  const connection = new Connection(at.port)
  const request = requestOf({
    method: 'POST',
    path: '/v1/payments/merchant/checkouts',
    from: addressOf(0),
    headers: { Authorization: `Bearer ${at.secretKey}` },
    body: { amount: 50_000, description: 'Two crates of mangoes' },
  })
  const create = () =>
    new Promise<string>((resolve, reject) => {
      connection.ask(request, (answer) => {
        if (answer === undefined || statusOf(answer) !== 201) {
          reject(new Error(`no checkout was made: ${answer?.toString() ?? 'no answer'}`))
        } else {
          resolve((JSON.parse(bodyOf(answer)) as { data: { id: string } }).data.id)
        }
      })
    })
  const ids: string[] = []
  while (ids.length < checkouts) ids.push(await create())
  connection.close()
  return ids
}
