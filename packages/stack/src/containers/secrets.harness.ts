import type { Manifest } from './kubernetes.harness'

/** Every variable that a service reads, needed or not: its schema is asked, with an environment that has none. */
export function variablesOf(read: (environment: NodeJS.ProcessEnv) => unknown): string[] {
  const names = new Set<string>()
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_, name) => void names.add(String(name)),
      has: (_, name) => names.add(String(name)).size > 0,
    },
  )
  try {
    read(environment)
  } catch {
    // It says what is missing; that is all.
  }
  return [...names]
}

/** A value of a secret, as the manifests of a namespace refer to it. */
export interface SecretKey {
  readonly namespace: string
  readonly secret: string
  readonly key: string
}

/** What cert-manager and CloudNativePG fill by themselves. */
const madeInside = /-identity$|^postgres-ca$/

/** Every value of a secret that an operator has to make for these manifests. */
export function secretKeysOf(manifests: readonly Manifest[]): SecretKey[] {
  const keys = manifests.flatMap((manifest) => {
    const namespace = manifest.metadata.namespace ?? ''
    return referencesIn(manifest).map(({ name, key }) => ({ namespace, secret: name, key }))
  })
  const unique = new Map(keys.map((one) => [Object.values(one).join(' '), one]))
  return [...unique.values()].filter(({ secret }) => !madeInside.test(secret))
}

interface Reference {
  readonly name: string
  readonly key: string
}

/** Wherever a manifest names a secret: `secretKeyRef` of a container, and what the operators have in its place. */
function referencesIn(value: unknown): Reference[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    const { name: secret, key } = (one ?? {}) as Partial<Reference>
    if (typeof secret !== 'string') return referencesIn(one)
    if (['secretKeyRef', 'accessKeyId', 'secretAccessKey'].includes(name) && key !== undefined) {
      return [{ name: secret, key }]
    }
    // CloudNativePG takes a role's name and password.
    return name === 'passwordSecret' || name === 'secret'
      ? ['username', 'password'].map((part) => ({ name: secret, key: part }))
      : referencesIn(one)
  })
}

/** The table of docs/deploy.md. */
export function secretTable(keys: readonly SecretKey[]): string {
  const namespaces = (secret: string) => [
    ...new Set(keys.filter((one) => one.secret === secret).map(({ namespace }) => namespace)),
  ]
  const keysOf = (secret: string) => [
    ...new Set(keys.filter((one) => one.secret === secret).map(({ key }) => `\`${key}\``)),
  ]
  const rows = [...new Set(keys.map(({ secret }) => secret))].toSorted().map((secret) => {
    const where = namespaces(secret).toSorted().join(', ')
    return `| \`${secret}\` | ${where} | ${keysOf(secret).toSorted().join(', ')} |`
  })
  return ['| Secret | Namespaces | Keys |', '|---|---|---|', ...rows].join('\n')
}
