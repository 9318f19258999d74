import { run, someKey, withServer } from './run-cli.harness'

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
