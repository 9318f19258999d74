import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { freePort } from '../free-port'
import { repositoryDir } from '../migrate'
import { createDatabase } from '../postgres'
import { urlOfRole } from '../service-role'
import { type ComposeService, readCompose } from './compose.harness'
import { type Built, openDockerfile } from './dockerfile.harness'
import { render, workloadsOf } from './kubernetes.harness'
import { sampleSecret } from './sample-secrets.harness'

jest.setTimeout(600_000)

/** On a disk where there is one: a gigabyte of packages is linked into it from the store on that disk. */
const dir = mkdtempSync(join(process.env['DISK_TMPDIR'] ?? tmpdir(), 'malipo-images-'))
const dockerfile = openDockerfile(join(repositoryDir, 'k8s/Dockerfile'), dir)
const compose = readCompose(sampleSecret)
const services = Object.entries(compose).filter(([, { build }]) => build?.args !== undefined)
const migrations = Object.entries(compose).filter(([name]) => name.startsWith('migrate-'))
const started = new Map<string, { child: ChildProcess; log: string }>()
const endsWithinMs = 10_000
const ports = new Map<string, number>()

beforeAll(async () => {
  for (const [name, { environment }] of services) {
    for (const [variable, port] of Object.entries(environment)) {
      if (variable.endsWith('PORT')) ports.set(`${name}:${port}`, await freePort())
    }
  }
})
afterAll(() => {
  for (const { child } of started.values()) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** What compose would give the service, with this machine's servers and free ports in the place of its network. */
function environmentHere(name: string, { environment }: ComposeService): Record<string, string> {
  const here = Object.entries(environment).map(([variable, value]) => {
    if (variable === 'HOST') return [variable, '127.0.0.1']
    if (variable === 'TLS_DIR') return [variable, join(dir, 'identities', name)]
    if (variable === 'REDIS_URL') return [variable, process.env['TEST_REDIS_URL']]
    if (variable.endsWith('DATABASE_URL')) return [variable, databaseHere(new URL(value))]
    if (variable.endsWith('PORT')) return [variable, String(ports.get(`${name}:${value}`))]
    return [variable, peersHere(value)]
  })
  return Object.fromEntries(here) as Record<string, string>
}

/** `ledger-ke:50051` -> `127.0.0.1:34567`, in an address and in a URL alike. */
function peersHere(value: string): string {
  return value.replace(/[a-z-]+:\d+/, (address) => {
    const port = ports.get(address)
    return port === undefined ? address : `127.0.0.1:${String(port)}`
  })
}

/** The superuser of compose becomes that of this server. The other roles keep their passwords, and get unused names. */
function databaseHere({ username, password, pathname }: URL): string {
  const url = new URL(process.env['TEST_DATABASE_SERVER'] ?? '')
  url.pathname = `/image_${pathname.slice(1)}`
  return username === 'malipo' ? url.href : urlOfRole(url.href, `image_${username}`, password)
}

function image({ build }: ComposeService): Built {
  const service = build?.args?.SERVICE
  if (service === undefined) return dockerfile.build(build?.target ?? '')
  return dockerfile.build('service', `-${service}`, { SERVICE: service })
}

function inImage({ root, workDir, environment }: Built, own: Record<string, string>) {
  const { PATH = '' } = process.env
  return { cwd: join(root, workDir), env: { PATH, ...environment, ...own } }
}

describe("the Dockerfile's steps, in an empty folder", () => {
  it.each(migrations)('make %s, which migrates an empty database', async (name, service) => {
    const environment = environmentHere(name, service)
    const database = new URL(environment['DATABASE_URL'] ?? '').pathname.slice(1)
    await createDatabase(process.env['TEST_DATABASE_SERVER'] ?? '', database)
    const built = image(service)
    const [command = '', ...args] = [...built.command, ...(service.command ?? [])]
    const ran = spawnSync(command, args, { ...inImage(built, environment), encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toContain('applied')
  })

  it('make the certificates of every service', () => {
    const service = compose['identities']
    if (service === undefined) throw new Error('compose makes no certificates')
    const [command = '', script = ''] = service.entrypoint ?? []
    const where = inImage(image(service), {})
    const ran = spawnSync(command, [script, join(dir, 'identities')], {
      ...where,
      encoding: 'utf8',
    })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
  })

  it.each(services)('make %s, which starts with what compose gives it', (name, service) => {
    const built = image(service)
    const [command = '', ...args] = built.command
    const environment = environmentHere(name, service)
    const log = join(dir, `${name}.log`)
    const output = openSync(log, 'w')
    const stdio = ['ignore', output, output] as const
    const child = spawn(command, args, { ...inImage(built, environment), stdio: [...stdio] })
    started.set(name, { child, log })
  })

  it.each(services)('make %s, which reports ready', async (name) => {
    const url = `http://127.0.0.1:${String(ports.get(`${name}:9090`))}/readyz`
    const ask = () => {
      expectToRun(name)
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await eventually(`${name} is ready`, ask)
  })

  it('make services that reach each other: a gateway answers from its ledger', async () => {
    const base = `http://127.0.0.1:${String(ports.get('gateway-ke:8080'))}`
    const unknownId = `cs_ke_${'0'.repeat(24)}`
    const answer = await fetch(`${base}/v1/payments/public/checkouts/${unknownId}`)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 2783 }])
  })

  it("make the operators' tool, which enrols operators, reads a ledger and checks providers without a clone", () => {
    const built = dockerfile.build('operate')
    const [command = '', ...args] = built.command
    const operate = (environment: Record<string, string>, ...words: readonly string[]) =>
      spawnSync(command, [...args, ...words], {
        ...inImage(built, environment),
        encoding: 'utf8',
      })
    const ledger = {
      LEDGER_ADDRESS: `127.0.0.1:${String(ports.get('ledger-ke:50051'))}`,
      TLS_DIR: join(dir, 'identities', 'operator'),
      COUNTRY: 'ke',
    }
    expect(operate(ledger, 'suspense', 'list')).toMatchObject({ status: 0, stderr: '' })
    const signed = { ...ledger, OPERATOR_PASSPHRASE: 'a passphrase of a test' }
    expect(operate(signed, 'enroll', 'amina')).toMatchObject({ status: 0, stderr: '' })
    const tool = workloadsOf(render('countries/ke')).find(({ name }) => name === 'operate')
    const writable = tool?.containers[0]?.volumeMounts.find(({ name }) => name === 'operators')
    const key = join(built.root, writable?.mountPath ?? '', 'amina.key')
    expect(existsSync(key)).toBe(true)
    const simulator = `http://127.0.0.1:${String(ports.get('simulator:8080'))}`
    const worker = compose['worker-ke']?.environment ?? {}
    const checked = operate(
      {
        ...worker,
        MPESA_BASE_URL: simulator,
        AIRTEL_BASE_URL: simulator,
        CARD_BASE_URL: simulator,
      },
      ...['provider', 'check'],
    )
    expect(checked.stderr).toBe('')
    expect(checked.stdout).toMatch(/good +credentials of mpesa +taken/)
  })

  it.each(services)('make %s, which stops on SIGTERM', async (name) => {
    const { child, log } = expectToRun(name)
    child.kill('SIGTERM')
    await eventually(
      `${name} has stopped`,
      () => readFileSync(log, 'utf8').includes('"msg":"stopped"'),
      endsWithinMs,
    )
    // Node can hang while it exits (nodejs/node#54918). A supervisor then kills the process, and so does afterAll.
    const ending = eventually('it ends', () => child.exitCode !== null, endsWithinMs)
    await ending.catch(() => undefined)
    expect([0, null]).toContain(child.exitCode)
  })
})

function expectToRun(name: string) {
  const service = started.get(name)
  if (service === undefined) throw new Error(`${name} was not started`)
  const { child, log } = service
  if (child.exitCode === null && child.signalCode === null) return service
  throw new Error(`${name} has ended with ${String(child.exitCode)}: ${readFileSync(log, 'utf8')}`)
}
