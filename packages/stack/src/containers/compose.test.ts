import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig as readAuth } from '../../../../services/auth/src/config'
import { readConfig as readConsole } from '../../../../services/console/src/config'
import { readConfig as readGateway } from '../../../../services/gateway/src/config'
import { readConfig as readKeys } from '../../../../services/keys/src/config'
import { readConfig as readLedger } from '../../../../services/ledger/src/config'
import { readConfig as readSimulator } from '../../../../services/simulator/src/config'
import { readConfig as readWorker } from '../../../../services/worker/src/config'
import { pinProofPublicKey } from '@malipo/contracts/pin-proof'
import { identities } from '@malipo/runtime/caller-identity'
import { repositoryDir } from '../migrate'
import { dependenciesOf, readCompose } from './compose.harness'

const readers: Readonly<Record<string, (environment: NodeJS.ProcessEnv) => unknown>> = {
  auth: readAuth,
  console: readConsole,
  gateway: readGateway,
  keys: readKeys,
  ledger: readLedger,
  simulator: readSimulator,
  worker: readWorker,
}

const script = join(repositoryDir, 'packages/stack/bin/compose-env.mjs')
const { stdout: printed } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
const variables = new Map(
  printed
    .trim()
    .split('\n')
    .map((line) => line.split('=') as [string, string]),
)
const services = readCompose((variable) => {
  const value = variables.get(variable)
  if (value === undefined) throw new Error(`compose-env.mjs does not print ${variable}`)
  return value
})
const ours = Object.entries(services).filter(([, { build }]) => build?.args !== undefined)

describe('docker-compose.yml', () => {
  it('runs every service, and one of each country’s services per country', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([
      'auth',
      'console',
      'gateway-ke',
      'gateway-ug',
      'keys',
      'ledger-ke',
      'ledger-ug',
      'simulator',
      'worker-ke',
      'worker-ug',
    ])
  })

  it.each(ours)('gives %s an environment it starts with', (_, { build, environment }) => {
    const read = readers[build?.args?.SERVICE ?? '']
    if (!read) throw new Error('That is no service of ours')
    expect(() => read(environment)).not.toThrow()
  })

  it('gives auth alone the key that signs PIN proofs, and the key service the public one of the pair', () => {
    const has = (name: string) =>
      ours.filter(([, { environment }]) => name in environment).map(([service]) => service)
    expect([has('PIN_PROOF_PRIVATE_KEY'), has('PIN_PROOF_PUBLIC_KEY')]).toEqual([
      ['auth'],
      ['keys'],
    ])
    const { PIN_PROOF_PRIVATE_KEY: privateKey = '' } = services['auth']?.environment ?? {}
    expect(services['keys']?.environment['PIN_PROOF_PUBLIC_KEY']).toBe(
      pinProofPublicKey(Buffer.from(privateKey, 'hex')).toString('hex'),
    )
  })

  it('starts Redis with the password that each service sends', () => {
    const [, password = ''] = /--requirepass,(.+?),/.exec(String(services['redis']?.command)) ?? []
    const urls = ours.flatMap(([, { environment }]) => environment['REDIS_URL'] ?? [])
    expect(password).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(urls)).toEqual(new Set([`redis://:${password}@redis:6379`]))
  })

  it('checks PostgreSQL over TCP, because the temporary server of its first start has only a Unix socket', () => {
    expect(services['postgres']?.healthcheck?.test).toContain('--host=127.0.0.1')
  })

  it('mounts into each service its own certificate and no other', () => {
    const others = ours.filter(([name]) => name !== 'simulator')
    for (const [name, { environment, volumes }] of others) {
      expect(volumes).toEqual([
        {
          ...{ type: 'volume', source: 'identities', read_only: true },
          ...{ target: environment['TLS_DIR'], volume: { subpath: name } },
        },
      ])
    }
    expect(others.map(([name]) => name)).toEqual(
      expect.arrayContaining(identities.filter((identity) => identity !== 'operator')),
    )
  })

  it('points every service at services that exist, on the ports they listen on', () => {
    for (const [name, { environment }] of ours) {
      for (const [variable, value] of Object.entries(environment)) {
        const [, peer = '', port] = /^(?:http:\/\/)?([a-z-]+):(\d+)$/.exec(value) ?? []
        if (peer === '') continue
        const ports = Object.entries(services[peer]?.environment ?? {})
        const listening = ports.filter(([key]) => key.endsWith('PORT')).map(([, value]) => value)
        expect({ name, variable, listening }).toMatchObject({
          listening: expect.arrayContaining([port]),
        })
      }
    }
  })

  it('gives the role of each service its rights before the service starts, and the owner to no service', () => {
    const given = Object.values(services).map(({ environment }) => environment)
    const granted = given.flatMap(({ SERVICE_DATABASE_URL: url }) => (url ? [url] : []))
    const used = ours.flatMap(([, { environment }]) => environment['DATABASE_URL'] ?? [])
    expect(used.sort()).toEqual(granted.sort())
    const roles = used.map((url) => new URL(url).username)
    expect(roles).toEqual([
      'malipo_accounts',
      'malipo_keys',
      'malipo_ledger_ke',
      'malipo_ledger_ug',
    ])
  })

  it('depends only on services that exist', () => {
    const awaited = Object.values(services).flatMap(dependenciesOf)
    expect(awaited.filter((name) => !(name in services))).toEqual([])
  })
})

describe('the file of its secrets', () => {
  it('is written once, for its owner alone, and never replaced', () => {
    const dir = mkdtempSync(join(tmpdir(), 'malipo-compose-'))
    const file = join(dir, '.env')
    const write = () => spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
    expect(write()).toMatchObject({ status: 0, stdout: '' })
    const secrets = readFileSync(file, 'utf8')
    const names = secrets.match(/^\w+(?==)/gm)
    expect(names).toEqual([...variables.keys()])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(write()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('.env is there already') as string,
    })
    expect(readFileSync(file, 'utf8')).toBe(secrets)
    rmSync(dir, { recursive: true })
  })
})
