import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { dataOf, newAddress, newKey, refusal, send } from './wire'

/** "Pay a handle or link", "Hosted checkout: pay by mobile money", "Read an intent" and the states of the interface. */
export function payments(given: () => ContractStack): void {
  const shop = openShop(given)
  const begun = { status: 202, description: 'Checkout initiated' }

  test.each([
    ['ke', 'KES', 'mpesa', '25471'],
    ['ug', 'UGX', 'mtn_momo', '25677'],
  ] as const)(
    '%s: a payment walks from the prompt to completed, and every view says so',
    async (country, currency, rail, prefix) => {
      const given_ = {
        amount: 150_000,
        reference: 'order 7',
        return_url: 'https://shop.example/thanks?lang=en',
      }
      const { id } = await shop.checkout(given_, { country })
      const phone = await given().phones[country].addPhone('approve', prefix)
      const data = dataOf(await shop.pay(id, { phone }, { country }), begun)
      const intentId = String(data['intent_id'])
      expect(data).toEqual({
        intent_id: expect.stringMatching(/^pi_/) as string,
        status: expect.stringMatching(/^(created|reserved|submitted|pending)$/) as string,
        ...{ amount: '150000', currency, rail },
        message: expect.any(String) as string,
      })
      const intent = await shop.untilIntent(intentId, 'completed', country)
      expect(intent).toEqual({
        intent_id: intentId,
        status: 'completed',
        amount_settled: '150000',
        currency,
      })
      const view = await shop.view(id, { country })
      expect(view).toMatchObject({ status: 'completed' })
      expect(view['payment']).toEqual({
        intent_id: intentId,
        status: 'completed',
        amount_settled: '150000',
        provider_receipt: expect.stringMatching(/./) as string,
        phone,
      })
      const { checkout } = dataOf(await shop.read(id, country), {
        status: 200,
        description: 'Checkout',
      })
      const payer = checkout as { redirect_url: string; intent_id: string; status: string }
      expect(payer).toMatchObject({ status: 'completed', intent_id: intentId })
      const redirect = new URL(payer.redirect_url)
      expect([redirect.origin, redirect.pathname]).toEqual(['https://shop.example', '/thanks'])
      expect(Object.fromEntries(redirect.searchParams)).toEqual({
        ...{ lang: 'en', checkout: id, reference: 'order 7', status: 'completed' },
      })
      const { provider_receipt: receipt } = view['payment'] as { provider_receipt: string }
      expect(JSON.stringify({ ...payer, redirect_url: '' })).not.toMatch(
        new RegExp(`${receipt}|${phone}|order 7`),
      )
      expect(refusal(await shop.pay(id, { phone }, { country }))).toEqual([409, 2785])
    },
  )
}

/** Replays, joined attempts and declined prompts. */
export function attempts(given: () => ContractStack): void {
  const shop = openShop(given)
  const begun = { status: 202, description: 'Checkout initiated' }

  test('the same key is a replay, another key joins the attempt in flight, and the phone rings once', async () => {
    const { id } = await shop.checkout()
    const phone = await given().phones.ke.addPhone('ask')
    const key = newKey()
    const first = dataOf(await shop.pay(id, { phone }, { headers: key }), begun)
    const replay = dataOf(await shop.pay(id, { phone }, { headers: key }), {
      ...begun,
      status: 200,
    })
    expect(replay['intent_id']).toBe(first['intent_id'])
    expect(replay['message']).toMatch(/duplicate/i)
    const joined = dataOf(await shop.pay(id, { phone }), {
      ...{ status: 200, description: 'Checkout already in progress' },
    })
    expect(joined['intent_id']).toBe(first['intent_id'])
    await given().phones.ke.happened('prompt_opened', phone)
    expect(await given().phones.ke.promptsOf(phone)).toBe(1)
    const { checkout } = dataOf(await shop.read(id), { status: 200, description: 'Checkout' })
    expect(checkout).toMatchObject({ status: 'open', intent_id: first['intent_id'] })
    await given().phones.ke.answer(phone, 'approve')
    await shop.untilIntent(String(first['intent_id']), 'completed')
  })

  test('a declined prompt leaves the checkout open, with its payment failed; the next attempt is the one shown', async () => {
    const { id } = await shop.checkout()
    const unwilling = await given().phones.ke.addPhone('cancel')
    const first = dataOf(await shop.pay(id, { phone: unwilling }), begun)
    await shop.untilIntent(String(first['intent_id']), 'failed')
    expect(await shop.view(id)).toMatchObject({
      status: 'open',
      payment: {
        ...{ intent_id: first['intent_id'], status: 'failed', phone: unwilling },
        ...{ amount_settled: null, provider_receipt: null },
      },
    })
    const phone = await given().phones.ke.addPhone('approve')
    const second = dataOf(await shop.pay(id, { phone }), begun)
    await shop.untilIntent(String(second['intent_id']), 'completed')
    expect(await shop.view(id)).toMatchObject({
      ...{ status: 'completed', payment: { intent_id: second['intent_id'], status: 'completed' } },
    })
  })
}

/** What a payment is refused for. */
export function payRefusals(given: () => ContractStack): void {
  const shop = openShop(given)

  test.each([
    ['no phone', {}],
    ['a phone of 8 digits', { phone: '25470000' }],
    ['a phone with a plus', { phone: '+254700000123' }],
    ['an unknown rail', { phone: '254700000123', rail: 'cash' }],
    ['an amount, which is not the payer’s to say', { phone: '254700000123', amount: 1 }],
  ])('refuses %s with 400 1701', async (_, body) => {
    const { id } = await shop.checkout()
    expect(refusal(await shop.pay(id, body))).toEqual([400, 1701])
  })

  test.each([
    ['no Idempotency-Key', ''],
    ['one of 129', 'k'.repeat(129)],
  ])('refuses %s with 400 1701', async (_, value) => {
    const { id } = await shop.checkout()
    const url = `${given().hosts.ke.baseUrl}/v1/payments/public/checkouts/${id}/pay`
    const headers = { ...newAddress(), ...(value !== '' && { 'idempotency-key': value }) }
    const reply = await send(url, { method: 'POST', body: { phone: '254700000123' }, headers })
    expect(refusal(reply)).toEqual([400, 1701])
  })

  test('an unknown checkout is 404 2783', async () => {
    const body = { phone: '254700000123' }
    expect(refusal(await shop.pay(`cs_ke_${'0'.repeat(24)}`, body))).toEqual([404, 2783])
  })
}

/** "Pay a handle or link" of the interface. */
export function handlePayments(given: () => ContractStack): void {
  const shop = openShop(given)
  const begun = { status: 202, description: 'Checkout initiated' }
  const pay = (body: object, headers: Record<string, string> = newKey()) =>
    send(`${given().hosts.ke.baseUrl}/v1/payments/public/checkout`, {
      ...{ method: 'POST', body, headers: { ...newAddress(), ...headers } },
    })

  test.each([
    ['text', '75000'],
    ['an integer', 75_000],
  ])('takes the amount as %s, and completes', async (_, amount) => {
    const phone = await given().phones.ke.addPhone('approve')
    const key = newKey()
    const body = { handle: given().demo.ke.username, amount, phone }
    const data = dataOf(await pay(body, key), begun)
    expect(Object.keys(data).sort()).toEqual([
      'amount',
      'currency',
      'intent_id',
      'message',
      'rail',
      'status',
    ])
    expect(data).toMatchObject({ amount: '75000', currency: 'KES', rail: 'mpesa' })
    const replay = dataOf(await pay(body, key), { ...begun, status: 200 })
    expect(replay['intent_id']).toBe(data['intent_id'])
    expect(replay['message']).toMatch(/duplicate/i)
    await shop.untilIntent(String(data['intent_id']), 'completed')
  })

  test('an unknown handle is 404 2710; an amount outside the limits 422 2702', async () => {
    const phone = '254700000123'
    const handle = given().demo.ke.username
    expect(refusal(await pay({ handle: 'no-such-shop-here', amount: '75000', phone }))).toEqual([
      404, 2710,
    ])
    expect(refusal(await pay({ handle, amount: '99', phone }))).toEqual([422, 2702])
  })

  test.each([
    ['no handle', { amount: '75000', phone: '254700000123' }],
    ['no amount', { handle: 'mama-mboga', phone: '254700000123' }],
    ['no phone', { handle: 'mama-mboga', amount: '75000' }],
    [
      'an unknown field',
      { handle: 'mama-mboga', amount: '75000', phone: '254700000123', pin: '1' },
    ],
  ])('refuses %s with 400 1701', async (_, body) => {
    expect(refusal(await pay(body))).toEqual([400, 1701])
  })

  test('refuses no Idempotency-Key with 400 1701', async () => {
    const body = { handle: given().demo.ke.username, amount: '75000', phone: '254700000123' }
    expect(refusal(await pay(body, {}))).toEqual([400, 1701])
  })
}
