import { countries } from '@malipo/kernel/countries'
import { railAbilities } from '@malipo/kernel/rail-abilities'
import { openCardRail, openRails, railVariables, readers } from './registry'
import { publishedSources } from './shared-callbacks'

const mpesa = {
  MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke/',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}
const mtnMomo = {
  MTN_MOMO_BASE_URL: 'https://proxy.momoapi.mtn.com',
  MTN_MOMO_SUBSCRIPTION_KEY: 'subscription-key',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'api-key',
  MTN_MOMO_TARGET_ENVIRONMENT: 'mtnuganda',
}
const airtelMoney = {
  AIRTEL_BASE_URL: 'https://openapi.airtel.ug',
  AIRTEL_CLIENT_ID: 'client-id',
  AIRTEL_CLIENT_SECRET: 'client-secret',
}
const card = {
  CARD_BASE_URL: 'https://ap-gateway.mastercard.com/',
  CARD_API_VERSION: '100',
  CARD_MERCHANT_ID: 'TESTMALIPO',
  CARD_API_PASSWORD: 'password',
  CARD_MERCHANT_NAME: 'Malipo Payments',
}
const wiring = {
  now: () => 0,
  wait: () => Promise.resolve(),
  takeTurn: () => Promise.resolve(0),
  countEvent: () => undefined,
}

test('opens a rail whose variables are all set', () => {
  const settings = railVariables.parse({ ...mpesa, HOME: '/' })
  expect(settings.mpesa?.baseUrl).toBe('https://sandbox.safaricom.co.ke')
  expect([...openRails(settings, countries.ug, wiring).keys()]).toEqual(['mpesa'])
})

test('opens the two rails of Uganda, each by its own variables', () => {
  const settings = railVariables.parse({ ...mtnMomo, ...airtelMoney })
  expect([...openRails(settings, countries.ug, wiring).keys()]).toEqual([
    'mtn_momo',
    'airtel_money',
  ])
})

test('each rail has exactly the abilities that the kernel declares for it', () => {
  const all = railVariables.parse({
    ...{ ...mpesa, MPESA_INITIATOR: 'malipo', MPESA_SECURITY_CREDENTIAL: 'bWFsaXBv' },
    ...{ ...mtnMomo, ...airtelMoney, AIRTEL_REFUNDS: 'true', ...card },
  })
  const mobile = [...openRails(all, countries.ug, wiring).values()]
  const cards = openCardRail(all, wiring)
  if (cards === undefined) throw new Error('cards are on')
  for (const rail of mobile) {
    expect([rail.name, railAbilities[rail.name]]).toMatchObject([
      rail.name,
      {
        asks: 'by_prompt',
        hasMenu: rail.payBill !== undefined,
        hasQr: rail.drawQr !== undefined,
        refundVerdict: rail.refunds?.verdict,
      },
    ])
  }
  expect(railAbilities[cards.name]).toMatchObject({
    asks: 'by_page',
    refundVerdict: cards.refunds.verdict,
  })
  for (const [name, { hasStatus }] of Object.entries(railAbilities)) {
    const isAsked = [...mobile, cards].some((rail) => rail.name === name)
    expect([name, hasStatus]).toEqual([name, isAsked])
  }
})

test.each([
  ['sandbox', 'EUR'],
  ['mtnuganda', 'UGX'],
])('pays the MTN environment %s in %s', (environment, currency) => {
  const settings = railVariables.parse({ ...mtnMomo, MTN_MOMO_TARGET_ENVIRONMENT: environment })
  expect(settings.mtnMomo?.currency).toBe(currency)
})

const newPlatform = {
  MTN_MOMO_NEW_BASE_URL: 'https://momoapi.momo.africa',
  MTN_MOMO_NEW_USER_ID: 'TWFsaXBvIFVnYW5kYQ==',
  MTN_MOMO_NEW_CREDENTIAL_TOKEN: 'token',
}
const { MTN_MOMO_BASE_URL, MTN_MOMO_API_USER, MTN_MOMO_API_KEY, ...ofBoth } = mtnMomo
const legacyPlatform = { MTN_MOMO_BASE_URL, MTN_MOMO_API_USER, MTN_MOMO_API_KEY }

test.each([
  ['the only one', { ...ofBoth, ...legacyPlatform }, 'legacy'],
  ['the only one', { ...ofBoth, ...newPlatform }, 'new'],
  [
    'the only one that has credentials',
    { ...mtnMomo, MTN_MOMO_NEW_BASE_URL: 'https://momoapi.momo.africa' },
    'legacy',
  ],
  ['the one that is named', { ...mtnMomo, ...newPlatform, MTN_MOMO_PLATFORM: 'new' }, 'new'],
  ['the one that is named', { ...mtnMomo, ...newPlatform, MTN_MOMO_PLATFORM: 'legacy' }, 'legacy'],
])('new prompts of MTN go to %s of its platforms', (_, environment, platform) => {
  const { mtnMomo: settings } = railVariables.parse(environment)
  expect(settings?.platform).toBe(platform)
})

test.each([
  ['half of a pair', { ...mtnMomo, MTN_MOMO_NEW_USER_ID: 'TWFsaXBv' }, 'MTN_MOMO_NEW_BASE_URL'],
  ['no pair at all', { ...ofBoth, MTN_MOMO_BASE_URL }, 'MTN_MOMO_API_USER'],
  [
    'two pairs and no word of which takes prompts',
    { ...mtnMomo, ...newPlatform },
    'MTN_MOMO_PLATFORM',
  ],
  ['a platform without credentials', { ...mtnMomo, MTN_MOMO_PLATFORM: 'new' }, 'MTN_MOMO_PLATFORM'],
  [
    'the User ID of the new platform as API user',
    { ...mtnMomo, MTN_MOMO_API_USER: 'TWFsaXBvIFVnYW5kYQ==' },
    'MTN_MOMO_API_USER',
  ],
])('refuses MTN settings with %s', (_, environment, variable) => {
  const [issue] = railVariables.safeParse(environment).error?.issues ?? []
  expect(issue?.path).toEqual(['mtnMomo', variable])
})

test.each([
  ['AIRTEL_API_VERSION', 'v3', 'must be v1, or v2, which signs'],
  ['AIRTEL_API_VERSION', '2', 'must be v1, or v2, which signs'],
  ['AIRTEL_REFUNDS', 'yes', 'must be true or false'],
])('refuses %s=%s with a message that names the allowed values', (name, value, message) => {
  const { error } = railVariables.safeParse({ ...airtelMoney, [name]: value })
  expect(error?.issues).toMatchObject([{ path: ['airtelMoney', name], message }])
})

test('names what Airtel lacks when its version alone is set', () => {
  const { error } = railVariables.safeParse({ AIRTEL_API_VERSION: 'v2' })
  expect(error?.issues.map(({ path }) => path.at(-1))).toEqual([
    'AIRTEL_BASE_URL',
    'AIRTEL_CLIENT_ID',
    'AIRTEL_CLIENT_SECRET',
  ])
})

test('by default sends unsigned payments to Airtel and leaves its refunds to operators', () => {
  const read = (changes: object) => railVariables.parse({ ...airtelMoney, ...changes }).airtelMoney
  expect(read({})).toMatchObject({ apiVersion: 'v1', refunds: false })
  expect(read({ AIRTEL_API_VERSION: 'v2', AIRTEL_REFUNDS: 'true' })).toMatchObject({
    apiVersion: 'v2',
    refunds: true,
  })
})

test('needs no key for callbacks of Airtel, which may be unsigned', () => {
  expect(railVariables.parse(airtelMoney).airtelMoney?.callbackKey).toBeUndefined()
})

test.each([
  ['none of its variables', {}],
  ['empty variables, as a compose file passes them', { MPESA_BASE_URL: '', MPESA_PASSKEY: '' }],
  ["only another service's variable", { MPESA_WHOLE_SHILLINGS: 'true' }],
])('leaves a rail off that has %s', (_, environment) => {
  expect(openRails(railVariables.parse(environment), countries.ke, wiring).size).toBe(0)
})

test('opens the card rail from its variables alone, apart from mobile rails', () => {
  expect(openCardRail(railVariables.parse(card), wiring)?.name).toBe('card')
  expect(openRails(railVariables.parse(card), countries.ke, wiring).size).toBe(0)
  expect(openCardRail(railVariables.parse(mpesa), wiring)).toBeUndefined()
  expect(railVariables.safeParse({ ...card, CARD_API_VERSION: 'latest' }).success).toBe(false)
})

test('names each variable that is missing or wrong, and none of their values', () => {
  const parsed = railVariables.safeParse({ ...mpesa, MPESA_PASSKEY: '', MPESA_SHORTCODE: 'till' })
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([
    'mpesa.MPESA_SHORTCODE',
    'mpesa.MPESA_PASSKEY',
  ])
})

test('reads the messages of a rail that is off', () => {
  for (const rail of ['mpesa', 'paybill', 'mtn_momo', 'airtel_money', 'card'] as const) {
    expect(readers[rail]?.('callback', Buffer.from('{}')).kind).toBe('unreadable')
  }
})

test('knows the twelve addresses that Safaricom publishes', () => {
  expect(new Set(publishedSources.mpesa).size).toBe(12)
})
