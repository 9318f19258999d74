import { text } from 'node:stream/consumers'
import { run, someKey, withServer } from './run-cli.harness'

const made = {
  id: 'cs_ke_0123456789abcdef01234567',
  url: 'http://127.0.0.1:9/c/cs_ke_0123456789abcdef01234567',
  status: 'open',
  currency: 'KES',
}
const local = { MALIPO_KEY: someKey, MALIPO_URL: 'http://127.0.0.1:9' }

test.each([
  ['a live key', { MALIPO_KEY: someKey.replace('test', 'live') }, /takes a test key only/],
  ['a host elsewhere', { MALIPO_URL: 'https://staging.example' }, /stack on this machine only/],
  [
    'a simulator elsewhere',
    { MALIPO_SIMULATOR_URL: 'https://sim.example' },
    /stack on this machine only/,
  ],
  ['no simulator', { MALIPO_SIMULATOR_URL: '' }, /MALIPO_SIMULATOR_URL must be/],
])('trigger refuses %s before it sends anything', async (_, changes, sentence) => {
  const urls: unknown[] = []
  await withServer(
    ({ url }, response) => {
      urls.push(url)
      response.end('{"simulator":true}')
    },
    async (url) => {
      const env = { ...local, MALIPO_SIMULATOR_URL: url, ...changes }
      const ran = await run('trigger completed', { env })
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
      expect(ran.stderr).toMatch(sentence)
    },
  )
  expect(urls).toEqual([])
})

test('trigger creates no checkout when the server at the simulator’s address is not a simulator', async () => {
  const urls: unknown[] = []
  await withServer(
    ({ url }, response) => {
      urls.push(url)
      response.end('{}')
    },
    async (url) => {
      const env = { ...local, MALIPO_URL: url, MALIPO_SIMULATOR_URL: url }
      expect((await run('trigger failed', { env })).stderr).toContain('is no simulator')
    },
  )
  expect(urls).toEqual(['/sim/v1/meta'])
})

const noPhone = {
  status: 404,
  body: {
    error: 'phone_not_found',
    message: 'No such phone: GET /phones lists them, POST /phones adds one',
  },
}
const phoneExists = {
  status: 409,
  body: { error: 'phone_exists', message: 'A number of these is registered' },
}
const phonesFull = {
  status: 409,
  body: { error: 'phones_full', message: 'There are 60,000 phones, the limit' },
}
const invalid = {
  status: 400,
  body: {
    error: 'invalid_request',
    message: 'Fix what the problems name',
    problems: [{ path: 'body.answer', message: 'Invalid input' }],
  },
}
const tooMany = { ok: false, code: 1804, description: 'Too many requests', request_id: 'r' }
const wordless = { status: 500, body: undefined }

test.each([
  [
    'the phone without a reason',
    wordless,
    noPhone,
    /simulator answered 500 when it was given a phone$/m,
  ],
  ['the phone, as it has no room', phonesFull, noPhone, /answered 409.*: There are 60,000 phones/],
  [
    'a new policy for a phone that it has',
    phoneExists,
    invalid,
    /answered 400.*: Fix what the problems name/,
  ],
])(
  'trigger reports that the simulator refuses %s, and starts no payment',
  async (_what, added, changed, sentence) => {
    const paths: unknown[] = []
    await withServer(
      ({ method, url = '' }, response) => {
        paths.push(`${String(method)} ${url.replace(/\d{12}/, 'PHONE')}`)
        if (url === '/sim/v1/meta') response.end('{"simulator":true}')
        else if (method === 'PUT')
          response.writeHead(changed.status).end(JSON.stringify(changed.body))
        else if (url === '/sim/v1/phones')
          response.writeHead(added.status).end(JSON.stringify(added.body))
        else response.end(JSON.stringify({ ok: true, data: made }))
      },
      async (url) => {
        const env = { ...local, MALIPO_URL: url, MALIPO_SIMULATOR_URL: url }
        const ran = await run('trigger completed', { env })
        expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
        expect(ran.stderr).toMatch(sentence)
      },
    )
    expect(paths).not.toContainEqual(expect.stringMatching(/\/pay$/))
  },
)

const paid = {
  ...made,
  amount: '10000',
  reference: null,
  description: null,
  expires_at: '',
  payment: null,
}
const completed = { intent_id: 'pi_0123456789abcdef01234567', status: 'completed' }

test('trigger can be used more often in an hour than one address may pay, with an amount drawn each time', async () => {
  const payments: unknown[] = []
  const bodies: string[] = []
  await withServer(
    (request, response) => {
      const { url = '', headers } = request
      void text(request).then((body) => bodies.push(body))
      const isPayment = url.endsWith('/pay')
      if (isPayment) payments.push(headers['x-forwarded-for'])
      const ofAddress = payments.filter((address) => address === headers['x-forwarded-for'])
      const data = isPayment || url.includes('/intents/') ? completed : paid
      if (ofAddress.length > 30) response.writeHead(429).end(JSON.stringify(tooMany))
      else response.end(JSON.stringify({ ok: true, simulator: true, data }))
    },
    async (url) => {
      const env = { ...local, MALIPO_URL: url, MALIPO_SIMULATOR_URL: url }
      for (let times = 0; times < 31; times += 1)
        expect(await run('trigger completed', { env })).toMatchObject({ exitCode: 0 })
    },
  )
  const amounts = bodies.flatMap((body) => /"amount":(\d+)/.exec(body)?.slice(1) ?? [])
  expect(amounts.filter((amount) => !/^\d{3,4}00$/.test(amount))).toEqual([])
  expect(new Set(amounts).size).toBeGreaterThan(1)
})
