import { eventually } from '@malipo/testing/eventually'
import { patience } from '@malipo/testing/patience'
import { wrongAbout } from './books'
import { enterFixture, type Fixture } from './fixture'
import { ask } from './http'
import type { Checkout } from './merchant'
import { type RunningStack, startStack } from './running-stack'

/**
 * An attempt waits forty seconds for its provider, which is queried after two seconds and then every second. This file
 * tests version v2 of Airtel's API; the other files test v1.
 */
const hurried = {
  INTENT_DEADLINE_SECONDS: '40',
  QUERY_AFTER_SECONDS: '2',
  QUERY_EVERY_SECONDS: '1',
  AIRTEL_API_VERSION: 'v2',
}

const rails = [
  ['mtn_momo', '25677'],
  ['airtel_money', '25675'],
] as const

const paid = { status: 'completed', wrong: [] }

/** How each number of the sandbox of MTN ends, and why. */
const sandbox = {
  '46733123450': ['failed', 'no_funds'],
  '46733123451': ['failed', 'cancelled'],
  '46733123452': ['failed', 'prompt_expired'],
  '46733123453': ['expired', 'unconfirmed'],
  '46733123454': ['completed', null],
  '46733123455': ['failed', 'not_registered'],
  '46733123456': ['failed', 'refused'],
  '46733123457': ['failed', 'refused'],
  '46733123458': ['failed', 'refused'],
  '46733123459': ['failed', 'refused'],
  '46733123460': ['failed', 'refused'],
  '46733123461': ['failed', 'no_funds'],
  '46733123462': ['failed', 'busy'],
  '46733123463': ['failed', 'no_answer'],
  '46733123464': ['failed', 'refused'],
}

interface State {
  readonly data: { readonly cause: string | null }
}

describe('Uganda', () => {
  let stack: RunningStack
  let uganda: Fixture
  let kenya: Fixture

  let untilDeadline: ReturnType<typeof payUntilDeadline>
  let notFound: readonly ReturnType<typeof payWhileNotFound>[]

  beforeAll(async () => {
    stack = await startStack({ ...patience, ...hurried })
    uganda = enterFixture(stack, 'ug')
    kenya = enterFixture(stack, 'ke')
    // Payments that wait for our deadline or for many answers begin here, so that they wait while other tests run, and
    // have ended before a test kills a service.
    untilDeadline = payUntilDeadline()
    notFound = rails.map(payWhileNotFound)
    for (const begun of [untilDeadline, ...notFound]) begun.catch(() => undefined)
  })

  afterAll(async () => {
    await uganda.close()
    await kenya.close()
    await stack.stop()
  })

  const order = () => uganda.merchant.createCheckout({ amount: 500_000 })

  /** Pays until the attempt is final. Returns its status and cause, and what is wrong with the books. */
  async function pay(rail: (typeof rails)[number][0], msisdn: string) {
    const { id } = await order()
    const payer = uganda.newPayer(rail)
    const intentId = await payer.payUntilAnswered(id, msisdn)
    const status = await payer.untilFinal(intentId, 240_000)
    const checkout = await uganda.merchant.readCheckout(id)
    return { status, cause: await causeOf(checkout), wrong: await wrong(checkout, status, msisdn) }
  }

  const wrong = (checkout: Checkout, intentStatus: string, msisdn: string) =>
    wrongAbout(uganda, { checkout, intentStatus, msisdn })

  async function causeOf({ id }: Checkout): Promise<string | null> {
    const { body } = await ask<State>(`${stack.file.hosts.ug.base_url}/c/${id}/state`)
    return body.data.cause
  }

  test.each(rails)(
    'a payment over %s completes, and the books of provider, ledger and merchant agree',
    async (rail, prefix) => {
      const msisdn = await uganda.simulator.addPhone('approve', prefix)
      expect(await pay(rail, msisdn)).toMatchObject(paid)
    },
  )

  test('a payment over Airtel in Kenya, signed as in Uganda, completes, and the books of provider, ledger and merchant agree', async () => {
    const msisdn = await kenya.simulator.addPhone('approve', '25475')
    const { id } = await kenya.merchant.createCheckout({ amount: 150_000 })
    const payer = kenya.newPayer('airtel_money')
    const status = await payer.untilFinal(await payer.payUntilAnswered(id, msisdn), 240_000)
    const checkout = await kenya.merchant.readCheckout(id)
    expect(await wrongAbout(kenya, { checkout, intentStatus: status, msisdn })).toEqual([])
    expect(status).toBe('completed')
    const transfers = await kenya.journal.transfers()
    expect(transfers.map(({ debit }) => debit)).toContain('float:airtel_money')
  })

  test.each(rails)('the page shows a cancelled prompt of %s at once', async (rail, prefix) => {
    const msisdn = await uganda.simulator.addPhone('cancel', prefix)
    expect(await pay(rail, msisdn)).toEqual({ status: 'failed', cause: 'cancelled', wrong: [] })
  })

  test.each(rails)(
    'row 28: a payment over %s whose callback is lost completes by a status query',
    async (rail, prefix) => {
      const msisdn = await uganda.simulator.addPhone('approve', prefix)
      const drop = { kind: 'drop' } as const
      await uganda.simulator.addRule({ on: 'callback', when: { msisdn }, effect: drop })
      expect(await pay(rail, msisdn)).toMatchObject(paid)
    },
  )

  test.each(rails)(
    'when the answer of %s to a push is lost, the payer is not prompted twice',
    async (rail, prefix) => {
      const msisdn = await uganda.simulator.addPhone('approve', prefix)
      const reset = { kind: 'reset' } as const
      await uganda.simulator.addRule({ on: 'push', when: { msisdn }, effect: reset, times: 1 })
      expect(await pay(rail, msisdn)).toMatchObject(paid)
    },
  )

  test('the simulator signs its callbacks as Airtel does, and the worker verifies them', async () => {
    expect(
      await pay('airtel_money', await uganda.simulator.addPhone('approve', '25675')),
    ).toMatchObject(paid)
    const url = stack.file.processes['worker-ug']?.metrics_url ?? ''
    const checks = await eventually('a signature was checked', async () => {
      const metrics = await (await fetch(url)).text()
      return metrics.match(/callback_signature_\w+(?="\} [1-9])/g) ?? undefined
    })
    expect(new Set(checks)).toEqual(new Set(['callback_signature_right']))
  })

  /**
   * Pays while the connection breaks before the provider gets the push. We cannot know that it did not get it, so a
   * status query that answers "not found" does not end the attempt.
   */
  async function payUnseen([rail, prefix]: (typeof rails)[number]) {
    const msisdn = await uganda.simulator.addPhone('approve', prefix)
    const never = { kind: 'reset', performed: false } as const
    await uganda.simulator.addRule({ on: 'push', when: { msisdn }, effect: never })
    return pay(rail, msisdn)
  }

  /** Pays by the numbers of MTN's sandbox, and by prompts that no status query finds. */
  async function payUntilDeadline() {
    const unseen = rails.map(payUnseen)
    const numbers = Object.keys(sandbox).map(
      async (msisdn) => [msisdn, await pay('mtn_momo', msisdn)] as const,
    )
    return { unseen: await Promise.all(unseen), numbers: await Promise.all(numbers) }
  }

  async function payWhileNotFound([rail, prefix]: (typeof rails)[number]) {
    const msisdn = await uganda.simulator.addPhone('ask', prefix)
    const effect = { kind: 'error', error: 'not_found' } as const
    // Six "not found" answers, because in an earlier release three of them ended the intent as failed.
    await uganda.simulator.addRule({ on: 'query', when: { msisdn }, effect, times: 6 })
    const { id } = await order()
    const payer = uganda.newPayer(rail)
    const intentId = await payer.payUntilAnswered(id, msisdn)
    await uganda.simulator.happened('prompt_opened', msisdn)
    await uganda.simulator.answer(msisdn, 'approve')
    await uganda.simulator.happened('callback_delivered', msisdn)
    await uganda.simulator.happened('rule_applied', msisdn, 4)

    const second = await uganda.newPayer(rail).pay(id, msisdn)
    const status = await payer.untilFinal(intentId, 30_000)
    const checkout = await uganda.merchant.readCheckout(id)
    return { intentId, second, status, wrong: await wrong(checkout, status, msisdn) }
  }

  describe.each([
    ['doubled', { kind: 'duplicate', copies: 2, every_ms: 200 }],
    ['sent fifty times at once', { kind: 'duplicate', copies: 50 }],
    ['cut off in the middle', { kind: 'malformed' }],
  ] as const)('with the callback %s', (_how, effect) => {
    test.each(rails)(
      'a payment over %s completes, with one prompt and one posting',
      async (rail, prefix) => {
        const msisdn = await uganda.simulator.addPhone('approve', prefix)
        await uganda.simulator.addRule({ on: 'callback', when: { msisdn }, effect })
        expect(await pay(rail, msisdn)).toMatchObject(paid)
      },
    )
  })

  test('payments in both countries at once are each posted in the journal of their country', async () => {
    const kenyan = await kenya.simulator.addPhone('approve')
    const { id } = await kenya.merchant.createCheckout({ amount: 150_000 })
    const payer = kenya.newPayer()
    const [intentStatus, ...ugandan] = await Promise.all([
      payer.payUntilAnswered(id, kenyan).then((intentId) => payer.untilFinal(intentId, 240_000)),
      ...rails.map(async ([rail, prefix]) =>
        pay(rail, await uganda.simulator.addPhone('approve', prefix)),
      ),
    ])
    expect(ugandan).toMatchObject([paid, paid])
    const checkout = await kenya.merchant.readCheckout(id)
    expect(await wrongAbout(kenya, { checkout, intentStatus, msisdn: kenyan })).toEqual([])
    const floats = async ({ journal }: Fixture) =>
      new Set((await journal.transfers()).map(({ debit }) => debit))
    expect(await floats(kenya)).toEqual(new Set(['float:mpesa', 'float:airtel_money']))
    expect(await floats(uganda)).toEqual(new Set(['float:mtn_momo', 'float:airtel_money']))
  })

  test('on the host of the other country a key is unknown, and a checkout is not found', async () => {
    const countries = [
      ['ke', 'ug', kenya],
      ['ug', 'ke', uganda],
    ] as const
    for (const [home, abroad, fixture] of countries) {
      const { id } = await fixture.merchant.createCheckout({ amount: 500_000 })
      const key = stack.file.merchants.find(({ country }) => country === home)?.secret_key
      const headers = { authorization: `Bearer ${String(key)}` }
      const at = (host: typeof home, path: string) =>
        `${stack.file.hosts[host].base_url}/v1/payments/${path}/${id}`
      expect(await ask(at(home, 'merchant/checkouts'), { headers })).toMatchObject({ status: 200 })
      expect(await ask(at(abroad, 'merchant/checkouts'), { headers })).toMatchObject({
        ...{ status: 401, body: { code: 2781 } },
      })
      expect(await ask(at(abroad, 'public/checkouts'))).toMatchObject({
        ...{ status: 404, body: { code: 2783 } },
      })
    }
  })

  test.each([
    [150, 422, 2702],
    [0.5, 400, 1701],
  ])('an amount of %d is refused with %d %d', async (amount, status, code) => {
    const merchant = stack.file.merchants.find(({ country }) => country === 'ug')
    const url = `${stack.file.hosts.ug.base_url}/v1/payments/merchant/checkouts`
    const headers = { authorization: `Bearer ${String(merchant?.secret_key)}` }
    const refused = await ask(url, { method: 'POST', headers, body: { amount } })
    expect(refused).toMatchObject({ status, body: { code } })
  })

  test.each(rails.map(([rail], at) => [rail, at] as const))(
    'a paid payment over %s that status queries do not find never fails, prompts once and completes',
    async (_rail, at) => {
      const { intentId, second, ...ended } = (await notFound[at]) ?? {}
      expect(second).toMatchObject({
        ...{ status: 200, body: { description: 'Checkout already in progress' } },
      })
      expect(second?.body.data).toMatchObject({ intent_id: intentId, status: 'pending' })
      expect(ended).toEqual(paid)
    },
  )

  test('every number of the sandbox of MTN ends as MTN publishes it; a prompt that no status query finds expires', async () => {
    const { unseen, numbers } = await untilDeadline
    expect(numbers.map(([msisdn, { status, cause }]) => [msisdn, [status, cause]])).toEqual(
      Object.entries(sandbox),
    )
    expect(numbers.flatMap(([, { wrong }]) => wrong)).toEqual([])
    const expired = { status: 'expired', cause: 'unconfirmed', wrong: [] }
    expect(unseen).toEqual([expired, expired])
  })

  describe.each(['worker-ug', 'ledger-ug', 'gateway-ug', 'keys', 'postgres', 'redis'])(
    'with %s killed while the phone rings',
    (name) => {
      afterEach(() => stack.untilWhole())

      test.each(rails)(
        'a payment over %s completes, with one prompt and one posting',
        async (rail, prefix) => {
          const msisdn = await uganda.simulator.addPhone('ask', prefix)
          const ended = pay(rail, msisdn)
          await uganda.simulator.happened('prompt_opened', msisdn)
          stack.signal(name, 'SIGKILL')
          await uganda.simulator.answer(msisdn, 'approve')
          expect(await ended).toMatchObject(paid)
        },
      )
    },
  )
})
