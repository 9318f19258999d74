import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { protoMethods } from '@malipo/testing/proto-methods'
import { Client } from 'pg'
import { servers, whoGetsPast } from './callers.harness'
import { playMainJob } from './demo'
import { createCheckout, isReady, lifeSeconds, readStatus } from './merchant.harness'
import { writePrivateFile } from './private-file'
import type { ProcessIdentity } from './process-identity'
import { readSecrets } from './secrets'
import { urlOfRole } from './service-role'
import { readStackFile, type StackFile } from './stack-file'
import { namesOfRunning, processesOf, type StartedStack, startStack } from './start.harness'

const home = mkdtempSync(join(tmpdir(), 'malipo-start-'))
const dir = join(home, 'one')
const everything = [
  'auth',
  'console',
  'gateway-ke',
  'gateway-ug',
  'keys',
  'ledger-ke',
  'ledger-ug',
  'postgres',
  'redis',
  'simulator',
  'worker-ke',
  'worker-ug',
]

let running: StartedStack
let stack: StackFile

beforeAll(async () => {
  running = startStack(dir)
  stack = await running.ready()
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended()
  rmSync(home, { recursive: true, force: true })
})

// The tests below share one folder: each begins with what the test before it has left.

describe('a started stack', () => {
  it('runs every process once, and lists the metrics address of each', async () => {
    expect(namesOfRunning(processesOf(dir))).toEqual(everything)
    const services = everything.filter((name) => name !== 'postgres' && name !== 'redis')
    expect(Object.keys(stack.processes).sort()).toEqual(services)
    for (const { metrics_url: url } of Object.values(stack.processes)) {
      expect(await (await fetch(url)).text()).toContain('process_cpu_seconds_total')
    }
  })

  it('has a demo merchant in each country, and prints its keys and addresses', () => {
    const merchants = stack.merchants.map(({ country, card }) => ({ country, card }))
    expect(merchants).toEqual([
      { country: 'ke', card: true },
      { country: 'ug', card: true },
    ])
    const output = running.output()
    for (const { handle, secret_key: key, pin, password } of stack.merchants) {
      for (const word of [handle, key, pin, password]) expect(output).toContain(word)
    }
    expect(output).toContain(stack.hosts.ke.base_url)
    expect(output).toContain(stack.simulator.url)
    expect(output).toContain(`${stack.hosts.ke.auth_url}/hub`)
    expect(output).toContain(stack.docs_url)
    expect(output.match(/curl /g)).toHaveLength(3)
    expect(output).toContain(`export MALIPO_URL=${stack.hosts.ke.base_url} `)
  })

  it.each([
    ['the payments host of Kenya', () => stack.hosts.ke.base_url, '/docs'],
    ['the payments host of Uganda', () => stack.hosts.ug.base_url, '/docs'],
    ['the auth host', () => stack.hosts.ke.auth_url, '/hub'],
  ])('leads from %s to a page', async (_, url, path) => {
    const page = await fetch(url())
    expect([page.status, new URL(page.url).pathname]).toEqual([200, path])
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  it('prints the page of a checkout that can be paid', async () => {
    const found = /http:\S+\/c\/cs_ke_[0-9a-f]{24}/.exec(running.output())
    const page = await fetch(found?.[0] ?? '')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Two crates of mangoes')
  })

  it('creates a checkout and takes its payment', async () => {
    const steps: string[] = []
    await playMainJob(stack, (step) => steps.push(step))
    expect(steps.at(-1)).toBe('read by the merchant')
  })

  it('refuses a second start in its folder, and says who runs it and where', async () => {
    const second = startStack(dir)
    expect(await second.ended()).toBe(1)
    expect(second.output()).toContain(`process ${String(running.child.pid)}`)
    expect(second.output()).toContain(stack.hosts.ke.base_url)
    expect(readStackFile(dir)).toEqual(stack)
  })

  it('starts a killed service again, and writes its new process id to stack.json', async () => {
    const { pid } = stack.processes['keys'] ?? { pid: 0 }
    process.kill(pid, 'SIGKILL')
    await eventually('another process', () => readStackFile(dir)?.processes['keys']?.pid !== pid)
    await eventually('a ready one', () => isReady(stack, 'keys'))
    await playMainJob(stack, () => undefined)
  })
})

describe('the processes of a stack', () => {
  it('call the methods that the tables give them, and are denied all others before they are parsed', async () => {
    for (const { server, service, callers } of servers) {
      const methods = protoMethods().filter((method) => method.service === service)
      const rows: Readonly<Record<string, readonly string[]>> = callers
      expect(Object.keys(rows).sort()).toEqual(methods.map(({ method }) => method).sort())
      // A call that gets past the check ends at the parser, whose status is INTERNAL.
      const allowed = methods.flatMap(({ method, path }) =>
        (rows[method] ?? []).map((caller) => `${path} ${caller} INTERNAL`),
      )
      const address = stack.processes[server]?.address ?? ''
      const paths = methods.map(({ path }) => path)
      expect(await whoGetsPast(dir, { server, address }, paths)).toEqual(allowed.sort())
    }
  })
})

describe('the databases of a stack', () => {
  const databases = ['accounts', 'keys', 'ledger_ke', 'ledger_ug'] as const

  it('admit the role of their service and no other', async () => {
    const { databasePasswords } = readSecrets(dir)
    for (const own of databases) {
      for (const database of databases) {
        const role = `malipo_${own}`
        const url = urlOfRole(stack.databases[database], role, databasePasswords[own])
        const client = new Client({ connectionString: url })
        const answer = await client.connect().then(() => role, String)
        await client.end()
        const expected = own === database ? role : 'permission denied for database'
        expect({ own, database, answer }).toMatchObject({
          answer: expect.stringContaining(expected),
        })
      }
    }
  })

  it('have connections of the role of their service only', async () => {
    for (const database of databases) {
      const client = new Client({ connectionString: stack.databases[database] })
      await client.connect()
      const { rows } = await client.query(
        `SELECT DISTINCT usename AS role FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      )
      await client.end()
      expect(rows).toEqual([{ role: `malipo_${database}` }])
    }
  })
})

describe('a second stack beside the first', () => {
  it('uses the given servers and times, and leaves the first running when it stops', async () => {
    const other = startStack(join(home, 'two'), [], {
      DATABASE_URL: process.env['TEST_DATABASE_SERVER'],
      REDIS_URL: process.env['TEST_REDIS_URL'],
      CHECKOUT_LIFE_SECONDS: '7',
    })
    const second = await other.ready()
    expect(second.redis).toBe(process.env['TEST_REDIS_URL'])
    expect(await lifeSeconds(second)).toBe(7)
    expect(await lifeSeconds(stack)).toBe(1_800)
    await playMainJob(second, () => undefined)
    other.child.kill('SIGTERM')
    expect(await other.ended()).toBe(0)
    expect(namesOfRunning(processesOf(dir))).toEqual(everything)
  })
})

describe('a stopped stack', () => {
  let checkoutId: string
  beforeAll(async () => {
    checkoutId = (await createCheckout(stack)).id
  })

  it('ends and leaves no process and no stack.json behind', async () => {
    const processes = processesOf(dir)
    running.child.kill('SIGTERM')
    expect(await running.ended()).toBe(0)
    expect(namesOfRunning(processes)).toEqual([])
    expect(existsSync(join(dir, 'stack.json'))).toBe(false)
  })

  it('starts again with the same keys, ports and data, also where secrets.json has no passwords of roles yet', async () => {
    const { databasePasswords, ...old } = readSecrets(dir)
    writePrivateFile(join(dir, 'secrets.json'), JSON.stringify(old))
    running = startStack(dir)
    const again = await running.ready()
    expect(again.merchants).toEqual(stack.merchants)
    expect([again.hosts, again.simulator]).toEqual([stack.hosts, stack.simulator])
    stack = again
    expect(await readStatus(stack, checkoutId)).toBe(200)
    expect(readSecrets(dir).databasePasswords).not.toEqual(databasePasswords)
  })

  it('ends the processes that a killed supervisor left, when it starts again', async () => {
    const left: Readonly<Record<string, ProcessIdentity>> = processesOf(dir)
    running.child.kill('SIGKILL')
    await running.ended()
    expect(namesOfRunning(left)).toEqual(everything)
    running = startStack(dir)
    stack = await running.ready()
    expect(namesOfRunning(left)).toEqual([])
    await playMainJob(stack, () => undefined)
  })

  it('runs without a checkout to pay where the wallet of the demo merchant is frozen, and says why', async () => {
    const ledger = new Client({ connectionString: stack.databases.ledger_ke })
    await ledger.connect()
    await ledger.query('UPDATE wallets SET frozen_at = now()')
    await ledger.end()
    running.child.kill('SIGTERM')
    await running.ended()
    running = startStack(dir)
    stack = await running.ready()
    expect(running.output()).toContain('There is no sample checkout: http 404')
    expect(running.output()).not.toContain('/c/cs_ke_')
    expect(namesOfRunning(processesOf(dir))).toEqual(everything)
  })

  it('starts with --fresh with new keys and without its earlier checkouts', async () => {
    running.child.kill('SIGINT')
    await running.ended()
    running = startStack(dir, ['--fresh'])
    const fresh = await running.ready()
    expect(fresh.merchants[0]?.secret_key).not.toBe(stack.merchants[0]?.secret_key)
    stack = fresh
    expect(await readStatus(stack, checkoutId)).toBe(404)
  })
})
