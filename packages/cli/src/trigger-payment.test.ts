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

test.each([
  ['the phone', 500, 200],
  ['what a known phone does', 409, 400],
])(
  'trigger reports that the simulator refuses %s, and starts no payment',
  async (_what, added, changed) => {
    const paths: unknown[] = []
    await withServer(
      ({ method, url = '' }, response) => {
        paths.push(`${String(method)} ${url.replace(/\d{12}/, 'PHONE')}`)
        if (url === '/sim/v1/meta') response.end('{"simulator":true}')
        else if (method === 'PUT')
          response.writeHead(changed).end('{"description":"no such policy"}')
        else if (url === '/sim/v1/phones') response.writeHead(added).end('<h1>')
        else response.end(JSON.stringify({ ok: true, data: made }))
      },
      async (url) => {
        const env = { ...local, MALIPO_URL: url, MALIPO_SIMULATOR_URL: url }
        const ran = await run('trigger completed', { env })
        expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
        expect(ran.stderr).toMatch(
          added === 500 ? /simulator answered 500/ : /simulator answered 400.*: no such policy/,
        )
      },
    )
    expect(paths).not.toContainEqual(expect.stringMatching(/\/pay$/))
  },
)
