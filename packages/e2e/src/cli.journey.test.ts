import type { Checkout } from './merchant'
import type { Cli } from './cli'
import type { Fixture } from './fixture'
import { journeyStack } from './journey-stack'

let fixture: Fixture
let cli: Cli

beforeAll(async () => {
  ;({ fixture, cli } = await journeyStack())
})

const checkoutOf = (stdout: string) => JSON.parse(stdout) as Checkout

test('malipo creates a checkout, waits, and exits with 0 when it is paid', async () => {
  const made = await cli.run(['checkouts', 'create', '--amount', '5000', '--reference', 'cli 1'])
  expect(made).toMatchObject({ exitCode: 0, stderr: '' })
  const { id } = checkoutOf(made.stdout)
  const waiting = cli.run(['checkouts', 'wait', id])
  const payer = fixture.newPayer()
  await payer.payUntilAnswered(id, await fixture.simulator.addPhone('approve'))
  const waited = await waiting
  expect(waited).toMatchObject({ exitCode: 0, stderr: '' })
  expect(checkoutOf(waited.stdout)).toMatchObject({ id, status: 'completed', reference: 'cli 1' })
  expect(checkoutOf((await cli.run(['checkouts', 'get', id])).stdout)).toEqual(
    checkoutOf(waited.stdout),
  )
})

test.each(['completed', 'failed'])(
  'malipo trigger %s creates a checkout and brings its payment to that status by a phone of the simulator',
  async (outcome) => {
    const triggered = await cli.run(['trigger', outcome])
    expect(triggered).toMatchObject({ exitCode: 0, stderr: '' })
    const checkout = checkoutOf(triggered.stdout)
    expect(checkout.payment?.status).toBe(outcome)
    const waited = await cli.run(['checkouts', 'wait', checkout.id, '--timeout', '1'])
    const [exitCode, status] = outcome === 'completed' ? [0, 'completed'] : [4, 'open']
    expect([waited.exitCode, checkoutOf(waited.stdout).status]).toEqual([exitCode, status])
  },
)

test('malipo doctor finds no problem in a stack, and reports a key of another mode', async () => {
  const sound = await cli.run(['doctor'])
  expect(sound).toMatchObject({ exitCode: 0, stderr: '' })
  const { checks } = JSON.parse(sound.stdout) as { checks: { name: string; outcome: string }[] }
  expect(checks.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(
    ['key', 'address', 'TLS', 'host', 'clock', 'accepted', 'simulator'].map(
      (name) => `${name} right`,
    ),
  )
  const live = await cli.run(['doctor'], { MALIPO_KEY: `mkp_live_${'ABC2'.repeat(13)}` })
  expect(live.exitCode).toBe(1)
  expect(live.stdout).toContain('This is a live key, and this host takes test keys')
})

test('malipo prints the refusal of the API and the page that explains its code', async () => {
  const refused = await cli.run(['checkouts', 'create', '--amount', '99'])
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /The amount must be 100 to .*\(code 2702\)\n.*\/docs\/errors\/2702/,
  )
})

test.each([
  ['docs', () => fixture.stack.file.docs_url],
  ['hub', () => `${fixture.stack.file.hosts.ke.auth_url}/hub`],
  ['phones', () => `${fixture.stack.file.simulator.url}/`],
])('malipo open %s prints the address of a page that loads', async (page, expected) => {
  const { exitCode, stdout } = await cli.run(['open', page])
  const { url } = JSON.parse(stdout) as { url: string }
  expect([exitCode, url]).toEqual([0, expected()])
  expect((await fetch(url)).status).toBe(200)
})
