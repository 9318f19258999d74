import type { Manifest } from './kubernetes.harness'

/**
 * Every variable that a service reads, required or not: its schema reads an empty environment, which notes each name.
 */
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
    // The schema only complains of missing variables.
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

/** All places where a manifest names a secret: `secretKeyRef` of containers, and the fields of cluster operators. */
function referencesIn(value: unknown): Reference[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    const { name: secret, key } = (one ?? {}) as Partial<Reference>
    if (typeof secret !== 'string') return referencesIn(one)
    if (['secretKeyRef', 'accessKeyId', 'secretAccessKey'].includes(name) && key !== undefined) {
      return [{ name: secret, key }]
    }
    // CloudNativePG reads the name and the password of a role from such a secret.
    return name === 'passwordSecret' || name === 'secret'
      ? ['username', 'password'].map((part) => ({ name: secret, key: part }))
      : referencesIn(one)
  })
}

/** Renders the table of secrets in docs/deploy.md. */
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
