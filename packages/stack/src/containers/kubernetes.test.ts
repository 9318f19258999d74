import { readConfig as readAuth } from '../../../../services/auth/src/config'
import { readConfig as readConsole } from '../../../../services/console/src/config'
import { readConfig as readGateway } from '../../../../services/gateway/src/config'
import { readConfig as readKeys } from '../../../../services/keys/src/config'
import { readConfig as readLedger } from '../../../../services/ledger/src/config'
import { readConfig as readWorker } from '../../../../services/worker/src/config'
import { findLedgerElsewhere } from '../operations/elsewhere'
import { schemaProblems } from './check-schema.harness'
import {
  type Container,
  environmentOf,
  type Manifest,
  render,
  workloadsOf,
} from './kubernetes.harness'
import { sampleSecret } from './sample-secrets.harness'

interface ServiceSpec {
  readonly selector: Readonly<Record<string, string>>
  readonly ports: readonly { readonly name: string; readonly targetPort: string }[]
}

const readers: Readonly<Record<string, (environment: NodeJS.ProcessEnv) => unknown>> = {
  gateway: readGateway,
  ledger: readLedger,
  worker: readWorker,
  keys: readKeys,
  auth: readAuth,
  console: readConsole,
}

const rendered: Readonly<Record<string, readonly Manifest[]>> = Object.fromEntries(
  ['countries/ke', 'countries/ug', 'shared'].map((overlay) => [overlay, render(overlay)]),
)
const overlays = Object.entries(rendered)
const deployments = overlays.flatMap(([overlay, manifests]) =>
  workloadsOf(manifests)
    .filter(({ name }) => !name.startsWith('migrate-') && name !== 'operate')
    .map((workload) => ({ overlay, manifests, ...workload })),
)

describe.each(overlays)('k8s/%s', (_, manifests) => {
  it('has only fields that Kubernetes knows, and all that it requires', () => {
    expect(schemaProblems(manifests)).toEqual([])
  })

  it('deploys no simulator beside real money', () => {
    expect(JSON.stringify(manifests)).not.toMatch(/simulator/i)
  })

  it('holds no secret, only references', () => {
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret')
    expect(JSON.stringify(manifests)).not.toMatch(/postgresql:|[0-9a-f]{64}/)
  })

  it('has a named port behind every port of a Service', () => {
    const services = manifests.filter(({ kind }) => kind === 'Service')
    const behind = services.flatMap((service) => {
      const { selector, ports: wanted } = service['spec'] as ServiceSpec
      const [container] =
        workloadsOf(manifests).find(({ name }) => name === selector['app.kubernetes.io/name'])
          ?.containers ?? []
      return wanted.map(({ targetPort }) =>
        container?.ports.some(({ name }) => name === targetPort),
      )
    })
    expect(behind.length).toBeGreaterThan(1)
    expect(behind).not.toContain(false)
  })

  it('resolves a Service of gRPC to each of its pods, so that a client shares its calls between them', () => {
    const services = manifests.filter(({ kind }) => kind === 'Service')
    const specs = services.map((service) => service['spec'] as ServiceSpec)
    const ofGrpc = specs.filter(({ ports }) => ports.some(({ name }) => name === 'grpc'))
    expect(ofGrpc.length).toBeGreaterThan(0)
    // A headless Service maps no port: the port that a client names has to be that of the pod.
    const port = { name: 'grpc', port: 50_051, targetPort: 'grpc' }
    expect(ofGrpc).toMatchObject(ofGrpc.map(() => ({ clusterIP: 'None', ports: [port] })))
  })

  it('denies every connection that no network policy allows', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const walls = policies.find(({ metadata }) => metadata.name === 'nothing-by-default')
    expect(walls?.['spec']).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })
})

describe('each database', () => {
  const secretsOf = (container: Container | undefined) =>
    (container?.env ?? []).flatMap(({ name, valueFrom }) =>
      valueFrom && name.endsWith('DATABASE_URL') ? [[name, valueFrom.secretKeyRef.name]] : [],
    )

  it.each([
    { overlay: 'countries/ke', database: 'ledger', service: 'ledger' },
    { overlay: 'countries/ug', database: 'ledger', service: 'ledger' },
    { overlay: 'shared', database: 'keys', service: 'keys' },
    { overlay: 'shared', database: 'accounts', service: 'auth' },
  ])(
    'of $overlay $service is migrated by its owner, for the role that the service connects as',
    ({ overlay, database, service }) => {
      const workloads = workloadsOf(rendered[overlay] ?? [])
      const databasesOf = (name: string) =>
        Object.fromEntries(
          secretsOf(workloads.find((workload) => workload.name === name)?.containers[0]),
        ) as unknown
      expect(databasesOf(`migrate-${database}`)).toEqual({
        DATABASE_URL: `${database}-owner`,
        SERVICE_DATABASE_URL: `${database}-database`,
      })
      expect(databasesOf(service)).toEqual({ DATABASE_URL: `${database}-database` })
    },
  )
})

it.each(['countries/ke', 'countries/ug'])(
  'k8s/%s ends the job of a month that hangs after six hours, so that job-failed fires',
  (overlay) => {
    const detach = rendered[overlay]?.find(({ kind }) => kind === 'CronJob')
    const job = { spec: { activeDeadlineSeconds: 21_600 } }
    expect(detach?.['spec']).toMatchObject({ jobTemplate: job })
  },
)

describe('each deployment', () => {
  it('runs one of our services, once per country or once for both', () => {
    expect(deployments.map(({ overlay, name }) => `${overlay} ${name}`).sort()).toEqual([
      'countries/ke gateway',
      'countries/ke ledger',
      'countries/ke worker',
      'countries/ug gateway',
      'countries/ug ledger',
      'countries/ug worker',
      'shared auth',
      'shared console',
      'shared keys',
    ])
  })

  it.each(deployments)('$overlay $name gives its service an environment it starts with', (one) => {
    const [container] = one.containers
    if (!container) throw new Error('There is no container')
    const environment = environmentOf(container, one.manifests, sampleSecret)
    const read = readers[one.name]
    if (!read) throw new Error(`${one.name} is no service of ours`)
    expect(() => read(environment)).not.toThrow()
  })

  it.each(deployments)('$overlay $name has its own certificate and no other', (one) => {
    const secrets = one.volumes.map(({ secret }) => secret?.secretName)
    expect(secrets).toEqual([`${one.name}-identity`])
    const [container] = one.containers
    const mounted = container?.volumeMounts.map(({ mountPath }) => mountPath)
    expect(container?.env).toContainEqual({ name: 'TLS_DIR', value: mounted?.[0] })
  })

  it.each(deployments)('$overlay $name listens on the ports that it names', (one) => {
    const [container] = one.containers
    if (!container) throw new Error('There is no container')
    const environment = environmentOf(container, one.manifests, sampleSecret)
    const variables = {
      admin: 'ADMIN_PORT',
      callbacks: 'CALLBACK_PORT',
      grpc: environment['GRPC_PORT'] === undefined ? 'PORT' : 'GRPC_PORT',
      public: 'PORT',
    }
    for (const { name, containerPort } of container.ports) {
      expect([name, environment[variables[name as keyof typeof variables]]]).toEqual([
        name,
        String(containerPort),
      ])
    }
  })
})

describe.each(['ke', 'ug'] as const)("the operators' tool in %s", (country) => {
  const manifests = rendered[`countries/${country}`] ?? []
  const tool = workloadsOf(manifests).find(({ name }) => name === 'operate')
  const [container] = tool?.containers ?? []

  it('has no pod until an operator scales it up', () => {
    const deployment = manifests.find(({ metadata }) => metadata.name === 'operate')
    expect(deployment?.['spec']).toMatchObject({ replicas: 0 })
  })

  it('names the ledger of its country, with its own certificate', () => {
    if (container === undefined) throw new Error('there is no such deployment')
    const environment = environmentOf(container, manifests, sampleSecret)
    expect(findLedgerElsewhere(environment)).toEqual({
      ...{ country, address: 'ledger:50051', tlsDir: '/identity' },
    })
    expect(tool?.volumes.map(({ secret }) => secret?.secretName)).toContain('operator-identity')
  })

  it('may call ledger, auth and providers, and is called by none', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const own = policies.find(({ metadata }) => metadata.name === 'operate')?.['spec']
    expect(own).toMatchObject({ policyTypes: ['Ingress', 'Egress'] })
    expect(own).not.toHaveProperty('ingress')
    expect(JSON.stringify(policies)).toContain('"values":["gateway","worker","operate"]')
  })
})

describe('the schema check', () => {
  it('finds a misspelt field, a missing one and one of another type', () => {
    const [deployment] = rendered['shared']?.filter(({ kind }) => kind === 'Deployment') ?? []
    if (!deployment) throw new Error('There is no deployment')
    const spec = deployment['spec'] as Record<string, unknown>
    const problemsOf = (changed: object) =>
      schemaProblems([{ ...deployment, spec: { ...spec, ...changed } }]).join('\n')
    expect(problemsOf({})).toBe('')
    expect(problemsOf({ stratgy: {} })).toContain('stratgy')
    expect(problemsOf({ replicas: 'two' })).toMatch(/string.*number/)
    expect(problemsOf({ selector: undefined })).toContain('selector')
  })
})
