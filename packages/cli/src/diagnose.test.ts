import { judgeAnswer } from './check-webhook'
import type { Check } from './check'
import { run, someKey, withServer } from './run-cli.harness'

async function diagnosed(url: string, words = 'doctor') {
  const ran = await run(words, { env: { MALIPO_KEY: someKey, MALIPO_URL: url } })
  return JSON.parse(ran.stdout) as { readonly ok: boolean; readonly checks: readonly Check[] }
}

const document = JSON.stringify({
  info: { title: 'Malipo, payments in KES' },
  paths: { '/profile': { servers: [{ url: 'https://auth.example' }] } },
})
const wrongOf = ({ checks }: { readonly checks: readonly Check[] }) =>
  checks.filter(({ outcome }) => outcome === 'wrong')

test('reports that nothing listens at the address, and makes no further check of the host', async () => {
  const { ok, checks } = await diagnosed('http://127.0.0.1:9')
  expect(ok).toBe(false)
  expect(checks.map(({ name }) => name)).toEqual(['key', 'address', 'host', 'simulator'])
})

test('reports a server that is not Malipo, without sending it the key', async () => {
  const keys: unknown[] = []
  await withServer(
    ({ headers }, response) => {
      keys.push(headers.authorization)
      response.end('<html>Welcome</html>')
    },
    async (url) => {
      expect(wrongOf(await diagnosed(url))).toMatchObject([
        { name: 'host', detail: 'answers 200, and is no payments host of Malipo' },
      ])
    },
  )
  expect(keys).toEqual([undefined])
})

test('reports how many seconds the clock of this machine is ahead of the host', async () => {
  await withServer(
    (_, response) => {
      response.setHeader('Date', new Date(Date.parse('2020-01-01T00:00:00Z')).toUTCString())
      response.end(document)
    },
    async (url) => {
      expect(wrongOf(await diagnosed(url))).toContainEqual(
        expect.objectContaining({
          name: 'clock',
          detail: expect.stringMatching(/^\d+ s ahead of the host$/) as string,
        }),
      )
    },
  )
})

test('reports the status when the host answers the check of the key with an outage page', async () => {
  await withServer(
    ({ url = '' }, response) => {
      if (url.startsWith('/v1/')) response.writeHead(503, { 'retry-after': '60' }).end('<html>')
      else response.end(document)
    },
    async (url) => {
      expect(wrongOf(await diagnosed(url))).toContainEqual({
        name: 'accepted',
        outcome: 'wrong',
        detail: `The host is unavailable: 503 from ${new URL(url).host}`,
        advice: 'Try again in a minute.',
      })
    },
  )
})

test.each([
  [200, 'wrong', 'Check the signature first'],
  [301, 'wrong', 'follows no redirect'],
  [400, 'right', undefined],
  [401, 'right', undefined],
  [404, 'wrong', 'check the path'],
  [500, 'wrong', 'answer 400'],
] as const)(
  'an endpoint that answers %d to an unsigned event is judged %s',
  (status, outcome, advice) => {
    const judged = judgeAnswer(status)
    expect(judged.outcome).toBe(outcome)
    if (advice !== undefined) expect(judged.advice).toContain(advice)
  },
)

test('sends an endpoint a test event without a signature', async () => {
  const received: unknown[] = []
  await withServer(
    (request, response) => {
      received.push([request.method, request.headers['webhook-signature']])
      response.writeHead(400).end()
    },
    async (url) => {
      const { checks } = await diagnosed('http://127.0.0.1:9', `doctor --webhook ${url}/hooks`)
      expect(checks.at(-1)).toMatchObject({ name: 'webhook', outcome: 'right' })
    },
  )
  expect(received).toEqual([['POST', undefined]])
})

test('reports that a host on another machine cannot reach an endpoint on this one, and suggests malipo listen', async () => {
  await withServer(
    (_, response) => response.writeHead(400).end(),
    async (url) => {
      const { checks } = await diagnosed('', `doctor --webhook ${url}/`)
      expect(checks.at(-1)).toMatchObject({
        outcome: 'wrong',
        advice: expect.stringContaining('malipo listen') as string,
      })
    },
  )
})
