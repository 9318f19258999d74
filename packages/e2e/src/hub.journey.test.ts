import { createHash } from 'node:crypto'
import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import type { Fixture } from './fixture'
import { ask } from './http'
import { openWebhookServer, type WebhookServer } from './hub-webhooks'
import { losesNewKey, payLink, seesPaymentUntouched, seesSummary, seesWaiting } from './hub-live'
import { forgetPin, freezeWallet, setsNewPassword } from './hub-support'
import { journeyStack, keyCacheSeconds } from './journey-stack'
import { type KeyboardVisitor, openKeyboardVisitor } from './keyboard-visitor'
import { filesWith, tracesIn } from './traces'

const pin = '9274'
const password = 'correct horse battery'

let fixture: Fixture
let browser: Browser
let visitor: KeyboardVisitor
let server: WebhookServer
const shownKeys: string[] = []

beforeAll(async () => {
  const journey = await journeyStack()
  ;({ fixture, browser } = journey)
  visitor = await openKeyboardVisitor(browser)
  server = await openWebhookServer(journey.cli)
})

afterAll(async () => {
  await server.stop()
  await visitor.close()
})

const host = () => fixture.stack.file.hosts.ke

/** Creates a checkout with a key, as a merchant's server does. */
async function useKey(secretKey: string, reference: string) {
  return ask<{ readonly data: { readonly id: string } }>(
    `${host().base_url}/v1/payments/merchant/checkouts`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body: { amount: 150_000, reference, description: 'Two crates of mangoes' },
    },
  )
}

/** Waits until a revoked key is refused. Tests that can move the clock check how soon that must be. */
async function untilRefused(secretKey: string, checkoutId: string): Promise<void> {
  const url = `${host().base_url}/v1/payments/merchant/checkouts/${checkoutId}`
  const headers = { authorization: `Bearer ${secretKey}` }
  await eventually(
    'the key is refused',
    async () => (await ask(url, { headers })).status === 401,
    (keyCacheSeconds + 10) * 1_000,
    250,
  )
}

/** Reads the new key in its dialog, and closes the dialog. */
async function takeKey(): Promise<string> {
  const shown = visitor.page.locator('[data-secret-key]')
  const secretKey = await shown.innerText()
  shownKeys.push(secretKey)
  await visitor.press('I have stored it')
  await shown.waitFor({ state: 'detached' })
  return secretKey
}

async function signUp(): Promise<string[]> {
  await visitor.open(`${host().auth_url}/hub`)
  const wrong = await visitor.judge('hub-sign-in')
  await visitor.press('Open an account')
  await visitor.type('Business name', 'Wanjiku Crafts')
  await visitor.type('Username', 'wanjiku-crafts')
  await visitor.type('Password', password)
  wrong.push(...(await visitor.judge('hub-sign-up')))
  await visitor.press('Open the account')
  await visitor.sees('Take your first payment')
  await visitor.sees(/KES\s0\.00/)
  return [...wrong, ...(await visitor.judge('hub-home'))]
}

async function setPin(): Promise<string[]> {
  await visitor.press('Set a PIN')
  await visitor.type('Current password', password)
  await visitor.type('New PIN', pin)
  await visitor.type('New PIN again', pin)
  const wrong = await visitor.judge('hub-pin')
  await visitor.press('Set the PIN')
  await visitor.sees('The PIN is set.')
  await visitor.press('Go on to your secret key')
  return wrong
}

test('a new merchant takes a first payment, by keyboard alone and on 320 pixels', async () => {
  const wrong = await signUp()
  wrong.push(...(await setPin()))

  // A new key works at once.
  await visitor.press('Create key')
  await visitor.enter('PIN', pin)
  await visitor.sees('Your new secret key')
  wrong.push(...(await visitor.judge('hub-new-key')))
  const first = await takeKey()
  const { status, body } = await useKey(first, 'order-1')
  expect(status).toBe(201)

  // When a key is replaced, the new key works at its first use, and the old key is refused soon.
  await visitor.press('Replace key')
  await visitor.enter('PIN', pin)
  const second = await takeKey()
  const failing = await useKey(second, 'order-2')
  expect((await useKey(second, '')).status).toBe(400)
  expect(failing.status).toBe(201)
  await untilRefused(first, body.data.id)
  await visitor.page.reload()
  await visitor.sees('Revoked')
  expect(await visitor.rowOf(second.slice(-4))).toMatch(/mkp_test_…\S{4}\s+Test\s+Active/)
  wrong.push(...(await visitor.judge('hub-keys', 'and wide')))
  expect(await visitor.page.content()).not.toContain(second.slice('mkp_test_'.length, -4))

  wrong.push(...(await server.add(visitor, pin)))

  // A payer pays the first checkout, and the merchant's server receives the event.
  const payer = fixture.newPayer()
  const msisdn = await fixture.simulator.addPhone('approve')
  const intentId = await payer.payUntilAnswered(body.data.id, msisdn)
  expect(await payer.untilFinal(intentId, 240_000)).toBe('completed')
  wrong.push(...(await server.receivesPaid(body.data.id, visitor)))

  // Another payer types a wrong PIN.
  const wrongPin = await fixture.simulator.addPhone('wrong_pin')
  const failedId = await payer.payUntilAnswered(failing.body.data.id, wrongPin)
  expect(await payer.untilFinal(failedId, 240_000)).toBe('failed')

  // The merchant creates a link, and a payer pays by it.
  await visitor.goTo('Links')
  await visitor.press('New link')
  await visitor.type('Title', 'Basket')
  await visitor.type('Amount in KES', '500')
  wrong.push(...(await visitor.judge('hub-new-link')))
  await visitor.press('Create link')
  await visitor.sees('/p/pay-')
  wrong.push(...(await visitor.judge('hub-share-link')))
  const handle = /\/p\/(pay-[0-9a-f]{12})/.exec(await visitor.page.innerText('dialog'))?.[1] ?? ''
  await visitor.press('Done')
  wrong.push(...(await visitor.judge('hub-links')))
  await payLink(fixture, browser, handle)
  // The wallet has the money of both payments.
  await visitor.goTo('Wallet')
  await visitor.sees('Basket')
  await visitor.sees(/KES\s2,000\.00/)
  expect(await visitor.download('Download CSV')).toMatch(/closing_balance,,,2000,KES,/)
  wrong.push(...(await visitor.judge('hub-wallet')))

  await visitor.goTo('Checkouts')
  await visitor.sees('Open · last try failed')
  await visitor.sees('Wrong PIN')
  expect(await visitor.rowOf('order-2')).toContain(`***${wrongPin.slice(-3)}`)
  expect(await visitor.rowOf('order-1')).toMatch(/\*{3}\d{3}\s+M-PESA\s+[A-Z]\w{9}\s/)
  wrong.push(...(await visitor.judge('hub-checkouts', 'and wide')))
  const create = async (reference: string) => (await useKey(second, reference)).body.data.id
  await seesPaymentUntouched(fixture, visitor, create)
  await visitor.press('order-1')
  await visitor.sees('Paid into your wallet')
  wrong.push(...(await visitor.judge('hub-checkout')))

  await visitor.goTo('Home')
  await visitor.sees('Latest checkouts')
  await seesSummary(visitor)
  wrong.push(...(await visitor.judge('hub-home-paid', 'and wide')))

  await visitor.goTo('API Integrations')
  await visitor.press('Revoke')
  await visitor.press('Revoke the key')
  await visitor.page.getByRole('button', { name: 'Create key' }).waitFor()
  await untilRefused(second, body.data.id)
  expect(wrong).toEqual([])
})

test('the home screen leads to a webhook that fails', async () => {
  await server.addSilent(visitor, pin)
  expect(await seesWaiting(visitor)).toEqual([])
})

test('the remaining screens of the hub pass the accessibility and layout checks', async () => {
  const wrong: string[] = []
  const look = async (section: string, tab: string | undefined, text: string | RegExp) => {
    await visitor.goTo(section)
    if (tab !== undefined) await visitor.press(tab)
    await visitor.sees(text)
    const name = tab ?? section
    wrong.push(...(await visitor.judge(`hub-${name.toLowerCase().replaceAll(' ', '-')}`)))
  }
  await look('API Integrations', 'Request log', '400 · 1701')
  await look('Profile', undefined, 'Preview')
  await look('Security', 'Password', 'Everywhere else')
  await look('Security', 'Sessions', 'This one')
  await look('Security', 'Audit log', 'Secret key revoked')
  await visitor.open(`${host().auth_url}/hub/nowhere`)
  await visitor.sees('There is no such page')
  wrong.push(...(await visitor.judge('hub-not-found')))
  expect(wrong).toEqual([])
})

test('a wrong PIN shows an error at its field, and counts as a try', async () => {
  await visitor.goTo('API Integrations')
  await visitor.press('Create key')
  await visitor.enter('PIN', '0000')
  await visitor.sees('This is not the PIN. 4 tries are left.')
  expect(await visitor.judge('hub-wrong-pin')).toEqual([])
  await visitor.page.keyboard.press('Escape')
})

test('the hub says that a key may have been made when the answer to "Create key" is lost', async () => {
  expect(await losesNewKey(visitor, pin)).toEqual([])
})

// This test runs after all that use keys, and before the session ends.
test('S32: no shown key or secret, no session cookie and no password is in any database, queue, log or file of ours', async () => {
  const cookies = await visitor.page.context().cookies()
  const [first = '', second = ''] = shownKeys
  const shown = [...shownKeys, server.secret(), password, ...cookies.map(({ value }) => value)]
  const secrets = shown.map((secret) =>
    // The beginning and the last four characters of a key are left out: the hub goes on showing them, so they are no
    // secret.
    secret.replace(/^mkp_test_(.*)....$/, '$1').replace(/^whsec_/, ''),
  )
  expect(secrets.map(({ length }) => length > 20)).toEqual(Array(6).fill(true))
  const found = (await tracesIn(fixture)).flatMap(({ where, text }) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
  )
  expect(found).toEqual([])
  // The digest that is sent between our processes is not stored either: the database has an HMAC of it.
  const digests = [first, second].map((key) => createHash('sha256').update(key).digest())
  expect(filesWith(fixture, [...secrets.map((secret) => Buffer.from(secret)), ...digests])).toEqual(
    [],
  )
  // Shows that the search works: it finds the key of the stack's first merchant in `stack.json`.
  const [seeded] = fixture.stack.file.merchants
  expect(filesWith(fixture, [Buffer.from(seeded?.secret_key ?? '')])).toContainEqual(
    expect.stringMatching(/stack\.json$/),
  )
})

test('after support removes a PIN, an ended session says so and returns to the same screen', async () => {
  await visitor.goTo('Profile')
  await visitor.sees('Preview')
  await forgetPin(fixture, 'wanjiku-crafts')
  await visitor.press('Menu')
  await visitor.press('Wallet')
  await visitor.sees('Your session has ended')
  const wrong = await visitor.judge('hub-session-ended', 'and wide')
  await visitor.type('Username', 'wanjiku-crafts')
  await visitor.type('Password', password)
  await visitor.press('Sign in')
  await visitor.sees('Basket')
  await visitor.page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor()
  await visitor.goTo('Security')
  await visitor.sees('Current password')
  wrong.push(...(await visitor.judge('hub-pin-forgotten', 'and wide')))
  await visitor.goTo('Wallet')
  expect(wrong).toEqual([])
})

test('the screen of a frozen wallet tells its owner since when it is frozen, why, and what happens next', async () => {
  await freezeWallet(fixture, 'odd payments')
  await visitor.press('Refresh')
  await visitor.sees('Your wallet has been frozen since')
  await visitor.sees('Two of our operators stopped payments to you')
  await visitor.sees('What is in the wallet stays yours.')
  // The owner must not see the operators' note.
  expect(await visitor.page.content()).not.toContain('odd payments')
  expect(await visitor.judge('hub-wallet-frozen', 'and wide')).toEqual([])
})

test('signing out removes all stored data, and another tab is signed out at its next step', async () => {
  const other = await visitor.page.context().newPage()
  await other.goto(`${host().auth_url}/hub/links`)
  await other.getByText('Basket').first().waitFor()
  await visitor.press('Menu')
  await visitor.press('Sign out')
  await visitor.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await visitor.page.goBack()
  await visitor.sees('Sign in')
  expect(await visitor.page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
  await other.getByRole('button', { name: 'Menu' }).click()
  await other.getByText('Wallet', { exact: true }).click()
  await other.getByText('Your session has ended').waitFor()
  expect(await other.content()).not.toContain('Basket')
})

test('an owner who lost the password sets a new one with the codes of two operators, which are in no database, queue, log or file of ours', async () => {
  expect(await setsNewPassword(fixture, visitor, 'wanjiku-crafts')).toEqual([])
  expect(visitor.page.url()).toBe(`${host().auth_url}/hub`)
})
