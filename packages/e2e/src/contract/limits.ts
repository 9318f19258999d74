import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { newAddress, newKey, refusal, type Reply, send } from './wire'

const unknown = `cs_ke_${'0'.repeat(24)}`
const limited = (reply: Reply) => reply.status === 429

async function oneAfterAnother(
  times: number,
  ask: (at: number) => Promise<Reply>,
): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let at = 0; at < times; at++) replies.push(await ask(at))
  return replies
}

/** All but the last are let through. */
function expectLastLimited(replies: readonly Reply[]): void {
  expect(replies.map(limited)).toEqual(replies.map((_, at) => at === replies.length - 1))
  expect(replies.slice(-1).map(refusal)).toEqual([[429, 1804]])
}

/** "Rate limits" of the interface. */
export function limits(given: () => ContractStack): void {
  const shop = openShop(given)
  test('an account has 120 merchant requests a minute, creates and reads together', async () => {
    const { secretKey: key } = await given().newAccount('ke')
    const { id } = await shop.checkout({ amount: 100 }, { key })
    const asked = Array.from({ length: 139 }, (_, at) =>
      at % 2 === 0 ? shop.retrieve(id, { key }) : shop.create({ amount: 100 }, { key }),
    )
    const replies = await Promise.all(asked)
    expect(replies.filter((reply) => !limited(reply))).toHaveLength(119)
    for (const reply of replies.filter(limited)) expect(refusal(reply)).toEqual([429, 1804])
  })

  test('a phone is prompted five times an hour, at any spacing, whatever it answers', async () => {
    const phone = await given().phones.ke.addPhone('cancel')
    const ids = await Promise.all(Array.from({ length: 6 }, () => shop.checkout({ amount: 100 })))
    const replies = await oneAfterAnother(6, (at) => shop.pay(ids[at]?.id ?? '', { phone }))
    expect(replies.slice(0, 5).map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expectLastLimited(replies)
  })

  test('a checkout has twenty prompts an hour', async () => {
    const { id } = await shop.checkout({ amount: 100 })
    const replies = await oneAfterAnother(21, async () => {
      const phone = await given().phones.ke.addPhone('cancel')
      const reply = await shop.pay(id, { phone })
      if (reply.status === 202)
        await shop.untilIntent(String(reply.json.data?.['intent_id']), 'failed')
      return reply
    })
    expectLastLimited(replies)
  })
}

/** The limits that count by address. */
export function addressLimits(given: () => ContractStack): void {
  const shop = openShop(given)

  test('an address has thirty payments an hour', async () => {
    const address = newAddress()
    const pay = () =>
      shop.pay(unknown, { phone: '254700000123' }, { headers: { ...address, ...newKey() } })
    expectLastLimited(await oneAfterAnother(31, pay))
  })

  test('a checkout has ten card payments an hour, an address twenty', async () => {
    const address = newAddress()
    const pay = () => shop.card(unknown, { headers: { ...address, ...newKey() } })
    expectLastLimited(await oneAfterAnother(21, pay))
  })

  test('an address has 120 reads of checkouts a minute', async () => {
    const address = newAddress()
    const url = `${given().hosts.ke.baseUrl}/v1/payments/public/checkouts/${unknown}`
    const replies = await Promise.all(
      Array.from({ length: 140 }, () => send(url, { headers: address })),
    )
    expect(replies.filter((reply) => !limited(reply))).toHaveLength(120)
  })
}
