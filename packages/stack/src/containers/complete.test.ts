import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig as readAuth } from '../../../../services/auth/src/config'
import { readConfig as readConsole } from '../../../../services/console/src/config'
import { readConfig as readGateway } from '../../../../services/gateway/src/config'
import { readConfig as readKeys } from '../../../../services/keys/src/config'
import { readConfig as readLedger } from '../../../../services/ledger/src/config'
import { readConfig as readWorker } from '../../../../services/worker/src/config'
import { repositoryDir } from '../migrate'
import { schemaProblems } from './check-schema.harness'
import { type Manifest, render, workloadsOf } from './kubernetes.harness'
import { secretKeysOf, secretTable, variablesOf } from './secrets.harness'

const complete = {
  ke: render('complete/ke'),
  ug: render('complete/ug'),
  shared: render('complete/shared'),
} as const
const others = Object.fromEntries(
  ['restored/ke', 'restored/shared', 'ingress', 'authority', 'observe'].map((name) => [
    name,
    render(name),
  ]),
)
const named = (manifests: readonly Manifest[], kind: string, name: string) => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name)
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`)
  return found
}

const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((one) => one.kind === kind)

interface PodMonitorSpec {
  readonly podMetricsEndpoints: readonly { readonly port?: string; readonly portNumber?: number }[]
}

interface NetworkPolicySpec {
  readonly podSelector: object
  readonly ingress?: readonly {
    readonly from: readonly object[]
    readonly ports: readonly { readonly port: number }[]
  }[]
}

test('the manifests have only fields that Kubernetes and the operators know, and all that they require', () => {
  expect(schemaProblems([...Object.values(complete), ...Object.values(others)].flat())).toEqual([])
})

describe.each(Object.entries(complete))('k8s/complete/%s', (place, manifests) => {
  it('names every image of ours by its digest', () => {
    const images = workloadsOf(manifests).flatMap(({ containers }) =>
      containers.map(({ image }) => image),
    )
    const ours = images.filter((image) => image.includes('malipo'))
    expect(ours.length).toBeGreaterThan(2)
    expect(ours.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  })

  it('has a certificate for each process, in the name of that process only', () => {
    const wanted = workloadsOf(manifests)
      .flatMap(({ volumes }) => volumes.map(({ secret }) => secret?.secretName ?? ''))
      .filter((name) => name.endsWith('-identity'))
    const certificates = manifests.filter(({ kind }) => kind === 'Certificate')
    const names = certificates.map(({ metadata, spec }) => {
      const { secretName, dnsNames } = spec as { secretName: string; dnsNames: readonly string[] }
      return [metadata.name, secretName, ...dnsNames]
    })
    const country = place === 'shared' ? '' : `-${place}`
    expect(names.sort()).toEqual(
      [...new Set(wanted)].sort().map((name) => {
        const process = name.replace('-identity', '')
        return [name, name, process === 'operator' ? process : `${process}${country}`]
      }),
    )
  })

  it('acknowledges a commit only when a second database server has it', () => {
    expect(named(manifests, 'Cluster', 'postgres')['spec']).toMatchObject({
      instances: 3,
      postgresql: { synchronous: { number: 1, dataDurability: 'required', failoverQuorum: true } },
      plugins: [{ isWALArchiver: true, parameters: { barmanObjectName: 'backups' } }],
    })
  })

  it('gives each database role the secret that the migrate jobs read', () => {
    const cluster = named(manifests, 'Cluster', 'postgres')['spec'] as {
      readonly bootstrap: { readonly initdb: { readonly secret: { readonly name: string } } }
      readonly managed: { readonly roles: readonly { readonly passwordSecret: { name: string } }[] }
    }
    const roles = [
      cluster.bootstrap.initdb.secret.name,
      ...cluster.managed.roles.map(({ passwordSecret }) => passwordSecret.name),
    ]
    const used = workloadsOf(manifests)
      .filter(({ name }) => name.startsWith('migrate-'))
      .flatMap(({ containers: [container] }) => container?.env ?? [])
      .map(({ valueFrom }) => valueFrom?.secretKeyRef.name)
    expect(roles.sort()).toEqual(used.sort())
  })

  it('measures each service under the name that the alert rules have', () => {
    const { selector, podMetricsEndpoints } = named(manifests, 'PodMonitor', 'malipo')['spec'] as {
      readonly selector: {
        readonly matchExpressions: readonly { readonly values: readonly string[] }[]
      }
      readonly podMetricsEndpoints: readonly { readonly port: string }[]
    }
    const services = workloadsOf(manifests).filter(({ containers }) =>
      containers[0]?.ports.some(({ name }) => name === podMetricsEndpoints[0]?.port),
    )
    const measured = selector.matchExpressions[0]?.values ?? []
    expect(measured.toSorted()).toEqual(services.map(({ name }) => name).toSorted())
  })

  it('lets the drain of a node evict one pod of a kind at a time, even the only one', () => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget').map(({ spec }) => spec)
    expect(budgets.length).toBeGreaterThan(2)
    expect(budgets).toEqual(
      budgets.map(() => ({ maxUnavailable: 1, selector: expect.anything() as object })),
    )
  })

  it('scrapes each port that Prometheus may reach', () => {
    const numbers = new Map(
      workloadsOf(manifests).flatMap(({ containers }) =>
        containers.flatMap(({ ports }) => ports.map((port) => [port.name, port.containerPort])),
      ),
    )
    const scraped = ofKind(manifests, 'PodMonitor')
      .flatMap(({ spec }) => (spec as PodMonitorSpec).podMetricsEndpoints)
      .map(({ port = '', portNumber }) => portNumber ?? numbers.get(port))
    const opened = ofKind(manifests, 'NetworkPolicy')
      .flatMap(({ spec }) => (spec as NetworkPolicySpec).ingress ?? [])
      .filter(({ from }) => JSON.stringify(from).includes('"monitoring"'))
      .flatMap(({ ports }) => ports.map(({ port }) => port))
    expect(opened).toHaveLength(2)
    expect(scraped.toSorted()).toEqual(opened.toSorted())
    const { podSelector } = named(manifests, 'NetworkPolicy', 'postgres')[
      'spec'
    ] as NetworkPolicySpec
    expect(named(manifests, 'PodMonitor', 'postgres')['spec']).toMatchObject({
      selector: podSelector,
    })
  })
})

describe.each(['ke', 'ug'] as const)('the complete overlay of %s', (country) => {
  const manifests = complete[country]

  it('scales workers by the age of what waits in its own country', () => {
    expect(named(manifests, 'ScaledObject', 'worker')['spec']).toMatchObject({
      scaleTargetRef: { name: 'worker' },
      triggers: [
        { metadata: { query: expect.stringContaining(`country="${country}"`) as string } },
      ],
    })
    // With a number here, each release would undo the scaling.
    expect(named(manifests, 'Deployment', 'worker')['spec']).not.toHaveProperty('replicas')
  })

  it('has a volume outside of the database for the copy mark of its ledger', () => {
    const [ledger] = workloadsOf(manifests).filter(({ name }) => name === 'ledger')
    const [container] = ledger?.containers ?? []
    const file = container?.env.find(({ name }) => name === 'COPY_MARK_FILE')?.value ?? ''
    const mounts = container?.volumeMounts.map(({ mountPath }) => mountPath) ?? []
    expect(mounts.some((path) => file.startsWith(`${path}/`))).toBe(true)
  })
})

test('the listeners of the gateways and the routes have the same hosts', () => {
  const listeners = (others['ingress'] ?? [])
    .filter(({ kind }) => kind === 'Gateway')
    .flatMap(({ spec }) => (spec as { listeners: readonly { hostname?: string }[] }).listeners)
    .flatMap(({ hostname }) => hostname ?? [])
  const routes = Object.values(complete)
    .flat()
    .filter(({ kind }) => kind === 'HTTPRoute')
    .flatMap(({ spec }) => (spec as { hostnames: readonly string[] }).hostnames)
  expect(routes.sort()).toEqual(listeners.sort())
  expect(routes).toHaveLength(6)
})

interface RestoredSpec {
  readonly bootstrap: object
  readonly externalClusters: readonly { readonly plugin: Archive }[]
  readonly plugins: readonly Archive[]
}

interface Archive {
  readonly parameters: { readonly serverName?: string }
}

describe.each(['ke', 'shared'] as const)('the restored database of %s', (place) => {
  const of = (manifests: readonly Manifest[]) =>
    named(manifests, 'Cluster', 'postgres')['spec'] as RestoredSpec
  const restored = of(others[`restored/${place}`] ?? [])
  // Without a serverName the plugin archives under the name of the cluster.
  const nameIn = (archive?: Archive) => archive?.parameters.serverName ?? 'postgres'

  it('is recovered from the archive of the running database, and archives under another name', () => {
    const running = nameIn(of(complete[place]).plugins[0])
    expect(Object.keys(restored.bootstrap)).toEqual(['recovery'])
    expect(nameIn(restored.externalClusters[0]?.plugin)).toBe(running)
    expect(nameIn(restored.plugins[0])).not.toBe(running)
  })

  it('has a database with the name and the owner of the lost one', () => {
    const bootstrap = of(complete[place]).bootstrap as { readonly initdb: object }
    expect(restored.bootstrap).toMatchObject({ recovery: bootstrap.initdb })
  })
})

test('restored accounts start with no pod of auth, because their sessions have to be ended first', () => {
  const auth = named(others['restored/shared'] ?? [], 'Deployment', 'auth')
  expect(auth['spec']).toMatchObject({ replicas: 0 })
})

test('the schema check finds a misspelt field, and a text in place of a number, in a resource of KEDA', () => {
  const scaled = named(complete.ke, 'ScaledObject', 'worker')
  const spec = scaled['spec'] as object
  const changed = [{ minReplicas: 2 }, { maxReplicaCount: 'eight' }]
  const problems = schemaProblems(changed.map((one) => ({ ...scaled, spec: { ...spec, ...one } })))
  expect(problems.filter((line) => line.includes('error'))).toHaveLength(2)
  expect(problems.join()).toMatch(/minReplicas.*string.*number/s)
})

/** The variables of services that are no secrets. All other variables are secrets. */
const settings = new Set(
  `ACCOUNTS_ADDRESS ADMIN_PORT AIRTEL_API_VERSION AIRTEL_BASE_URL AIRTEL_REFUNDS AUDIT_EVERY_SECONDS AUTH_URL BASE_URL CALLBACK_BASE_URL
  CALLBACK_PORT CALLBACK_SOURCES CALLBACK_UNCONFIRMED_MAX_MINOR CELL CARD_API_VERSION CARD_BASE_URL CARD_FEE_BPS CARD_MERCHANT_NAME
  CARD_QUERY_AFTER_SECONDS CARD_SESSION_SECONDS CHECKOUT_LIFE_SECONDS CONNECTIONS_MAX CONNECTIONS_PER_ADDRESS_MAX CONSOLE_URL
  COPY_MARK_FILE COUNTRY GRPC_PORT HOST IDLE_CONNECTION_SECONDS INTENT_DEADLINE_SECONDS INTENT_START_SECONDS KEYS_ADDRESS
  KEY_CACHE_SECONDS KEY_MODE LEDGER_ADDRESS LEDGER_CELLS LEDGER_KE_ADDRESS LEDGER_KE_CELLS LEDGER_UG_ADDRESS LEDGER_UG_CELLS LOG_LEVEL MEASURE_EVERY_SECONDS MPESA_BASE_URL
  MPESA_QR MPESA_SHORTCODE_CELLS MPESA_WHOLE_SHILLINGS MTN_MOMO_BASE_URL MTN_MOMO_NEW_BASE_URL MTN_MOMO_PLATFORM MTN_MOMO_TARGET_ENVIRONMENT
  OIDC_ISSUER PAGE_ORIGINS PAYMENTS_KE_URL PAYMENTS_UG_URL PAYMENT_REPORT_HOLD_SECONDS PAY_BILL_HOLD_SECONDS PAY_BILL_SECONDS
  PAY_BILL_UNCONFIRMED_MAX_MINOR PORT PROMPT_WAIT_MAX_SECONDS QUERY_AFTER_SECONDS QUERY_EVERY_SECONDS QUEUE_PREFIX RAILS RECONCILE_EVERY_SECONDS
  STANDBY_ADDRESS STREAMS_MAX SWEEP_SECONDS TLS_DIR TRUSTED_PROXIES WAITS_MAX WEBHOOK_LOOPBACK`.split(
    /\s+/,
  ),
)

const everything = Object.values(complete).flat()
const keys = secretKeysOf(everything)

test.each(
  Object.entries({
    auth: readAuth,
    console: readConsole,
    gateway: readGateway,
    keys: readKeys,
    ledger: readLedger,
    worker: readWorker,
  }),
)('the deployment of %s has every secret that the service can be given', (service, read) => {
  const variables = variablesOf(read)
  expect(variables).toContain(service === 'worker' ? 'MPESA_PASSKEY' : 'ADMIN_PORT')
  const own = everything.filter(
    ({ kind, metadata: { name } }) => kind === 'Deployment' && name === service,
  )
  const given = secretKeysOf(own).map(({ key }) => key)
  expect(given.length > 0).toBe(true)
  expect(variables.filter((name) => !settings.has(name) && !given.includes(name))).toEqual([])
})

const page = readFileSync(join(repositoryDir, 'docs/deploy.md'), 'utf8')
const sectionOf = (title: string) => page.split(/^## /m).find((one) => one.startsWith(title)) ?? ''

test('docs/deploy.md lists every secret, where it is and what is in it', () => {
  expect(page).toContain(`<!-- secrets -->\n${secretTable(keys)}\n<!-- /secrets -->`)
})

test('a roll back takes up the workers again that an upgrade has paused, and then waits for them', () => {
  expect(sectionOf('6. Upgrade')).toMatch(/rollout pause .*rollout resume /s)
  expect(sectionOf('7. Roll back')).toMatch(
    /name=worker\n.*rollout resume deployment\/worker .*rollout status deployment\/worker /s,
  )
})

test('a restore has the log archived, or its volumes kept, before it deletes the lost database', () => {
  const [before, ...after] = sectionOf('8. Restore').split('delete cluster postgres')
  expect(before).toMatch(
    /--replicas=0.*pg_switch_wal\(\).*pg_ls_archive_statusdir\(\).*[.]ready.*get backups.*"Retain"/s,
  )
  expect(after).toHaveLength(1)
})
