import { openImpatient } from '@malipo/runtime/waits.harness'
import { eventually } from '@malipo/testing/eventually'
import { ofFile } from '@malipo/testing/lazily'
import { openHeldLedger } from '../limits/held-ledger.harness'
import { anyPhone, startHost } from '../start.harness'
import { dictionaries } from './texts/choose-texts'

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant())

/** The form of a page, with the payer's input. */
async function fill(path: string, at = host): Promise<string> {
  const { text } = await at.ask(path)
  const key = /name="key" value="([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
  return new URLSearchParams({ key, amount: '20', phone: anyPhone(), rail: '' }).toString()
}

const submit = async (
  path: string,
  form: string,
  headers: Record<string, string> = {},
  at = host,
) =>
  at.ask(`${path}/pay`, {
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

test('shows the payment that the key of a form has begun, also when the owner takes no payments any more', async () => {
  const owner = await host.merchant()
  const path = `/p/${owner.username}`
  const [form, another] = [await fill(path), await fill(path)]
  const first = await submit(path, form)
  await host.takeNoPayments(owner)
  const again = await submit(path, form)
  expect([again.status, again.headers['location']]).toEqual([303, first.headers['location']])
  expect((await host.ask(again.headers['location'] ?? '')).text).toContain('data-screen="waiting"')
  const refused = await submit(path, another)
  expect([refused.status, refused.text]).toEqual([
    404,
    expect.stringContaining('This merchant cannot take payments right now'),
  ])
})

describe('a form whose key has begun a payment, sent with another amount,', () => {
  async function sendChanged(headers: Record<string, string> = {}) {
    const path = `/p/${(await host.merchant()).username}`
    const form = await fill(path)
    const first = await submit(path, form)
    const changed = new URLSearchParams(form)
    changed.set('amount', '35.00')
    return { path, first, changed, reply: await submit(path, String(changed), headers) }
  }

  test.each(Object.values(dictionaries))(
    'comes back with its input and a new key, and says not to pay again, in $name',
    async (texts) => {
      const { path, first, changed, reply } = await sendChanged({ 'accept-language': texts.lang })
      expect([reply.status, reply.headers['location']]).toEqual([422, undefined])
      expect(reply.text).toContain(texts.handle.begun)
      expect(reply.text).toContain(texts.start.lost.ifEntered)
      expect(reply.text).toContain('value="35.00"')
      expect(reply.text).toContain(`value="${changed.get('phone') ?? ''}"`)
      const key = /name="key" value="([0-9a-f]{32})"/.exec(reply.text)?.[1] ?? ''
      changed.set('key', key)
      const next = await submit(path, String(changed))
      expect(next.headers['location']).toMatch(/^\/p\/[^/]+\/pi_/)
      expect(next.headers['location']).not.toBe(first.headers['location'])
    },
  )

  test('gives the page its warning and a new key as data, which the script puts into the form', async () => {
    const { changed, reply } = await sendChanged({ accept: 'application/json' })
    const { begun } = dictionaries.en.handle
    const { ifEntered, ifNot } = dictionaries.en.start.lost
    expect([reply.status, reply.body]).toEqual([
      422,
      { title: begun, text: [ifEntered, ifNot], key: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ])
    expect(reply.body).not.toMatchObject({ key: changed.get('key') })
  })
})

/** The form behind the button of a page, as a browser sends it. */
function formIn(text: string): string {
  const fields = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return new URLSearchParams(
    [...fields].map(([, name = '', value = '']): [string, string] => [name, value]),
  ).toString()
}

test('a press whose answer does not come is sent again by "Try again", and makes one payment', async () => {
  const ledger = await openHeldLedger('ke')
  const slow = await startHost({ ledgerAddress: ledger.address })
  ledger.passOnTo(slow.address('ledger'))
  const path = `/p/${(await slow.merchant()).username}`
  const form = await fill(path, slow)
  ledger.hold('startHandleIntent')
  const refused = await openImpatient(() => submit(path, form, {}, slow))
  ledger.release()
  expect([refused.status, refused.headers['refresh']]).toEqual([503, undefined])
  expect(refused.text).toContain(`method="post" action="${path}/pay"`)
  const attempts = () => slow.rows('SELECT id FROM intents')
  await eventually('the press begins a payment', async () => (await attempts()).length > 0)
  const again = await submit(path, formIn(refused.text), {}, slow)
  const [begun] = (await attempts()) as { id: string }[]
  expect([again.status, again.headers['location']]).toEqual([303, `${path}/${begun?.id ?? ''}`])
  expect(await attempts()).toHaveLength(1)
  await slow.stop()
  await ledger.stop()
})

test('beyond the tries of its address, "Try again" sends the same press, whose earlier try may have begun a payment', async () => {
  const path = `/p/${(await host.merchant()).username}`
  const form = await fill(path)
  const press = async (at: string) =>
    host.ask(`${at}/pay`, {
      body: form,
      from: '203.0.113.77',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (let tries = 0; tries < 30; tries += 1) await press('/p/unclaimed-handle')
  const refused = await press(path)
  expect([refused.status, formIn(refused.text)]).toEqual([429, form])
})

describe('offers no other language, whose link would open an empty form with a new key,', () => {
  const languages = /href="[^"]*\?lang=/

  test('beside a press to send again, in the language of the payer', async () => {
    const path = `/p/${(await host.merchant()).username}`
    const [form, swahili] = [await fill(path), { 'accept-language': 'sw' }]
    const press = async (at: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...swahili }
      return host.ask(`${at}/pay`, { body: form, from: '203.0.113.78', headers })
    }
    for (let tries = 0; tries < 30; tries += 1) await press('/p/unclaimed-handle')
    const refused = await press(path)
    expect([refused.status, formIn(refused.text)]).toEqual([429, form])
    expect(refused.text).toContain(dictionaries.sw.refusals.too_many.title)
    expect(refused.text).not.toMatch(languages)
  })

  test('beside the input of a form whose key has begun a payment', async () => {
    const path = `/p/${(await host.merchant()).username}`
    const form = await fill(path)
    await submit(path, form)
    const reply = await submit(path, form.replace('amount=20', 'amount=35'))
    expect([reply.status, languages.test(reply.text)]).toEqual([422, false])
  })
})

const doubting = ofFile(() => startHost({}, undefined, { CALLBACK_UNCONFIRMED_MAX_MINOR: '100' }))

test('a payment that was reported and found not to be made is offered again by a button without its amount', async () => {
  const path = `/p/${(await doubting.merchant()).username}`
  const { headers } = await submit(path, await fill(path, doubting), {}, doubting)
  const { location = '' } = headers
  const token = await doubting.ledger.submit(location.split('/').at(-1) ?? '')
  const receipt = await doubting.ledger.pay(token, 2_000n)
  await doubting.letPass(660)
  await doubting.ledger.closeReport(receipt)
  const text = await eventually('it is found unpaid', async () => {
    const page = (await doubting.ask(location)).text
    return page.includes('This has not been paid') && page
  })
  expect(text).toContain('name="amount"')
  expect(text).toMatch(/<button[^>]*>\s*Pay\s*<\/button>/)
})

describe.each([
  ['the page without the script', {}],
  ['the answer for the script', { accept: 'application/json' }],
])('%s says not to pay again: an earlier press may have begun a prompt', (_, headers) => {
  test.each(Object.values(dictionaries))(
    'at a link that was closed since, in $name',
    async (texts) => {
      const link = await host.link(merchant)
      const path = `/p/${link.handle}`
      const form = await fill(path)
      await link.close()
      const reply = await submit(path, form, { ...headers, 'accept-language': texts.lang })
      expect(reply.status).toBe(404)
      expect(reply.text).toContain(texts.refusals.not_found.title)
      expect(reply.text).toContain(texts.refusals.payee_closed.text)
    },
  )

  test.each(Object.values(dictionaries))(
    'at a wallet that takes no money, in $name',
    async (texts) => {
      const { username } = await host.foreigner('ke')
      const form = await fill(`/p/${merchant.username}`)
      const language = { 'accept-language': texts.lang }
      const reply = await submit(`/p/${username}`, form, { ...headers, ...language })
      expect(reply.status).toBe(404)
      expect(reply.text).toContain(texts.refusals.payee_closed.title)
      expect(reply.text).toContain(texts.refusals.payee_closed.text)
    },
  )
})
