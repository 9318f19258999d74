import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { repositoryDir } from '../migrate'

const envVariable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
})
const container = z.object({
  name: z.string(),
  image: z.string(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  envFrom: z
    .array(z.object({ configMapRef: z.object({ name: z.string() }).optional() }))
    .default([]),
  env: z.array(envVariable).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
})
const volume = z.object({
  name: z.string(),
  secret: z.object({ secretName: z.string() }).optional(),
})
const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
})
const workload = z.object({
  spec: z.object({
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({ containers: z.array(container), volumes: z.array(volume).default([]) }),
    }),
  }),
})
const configMap = z.object({ data: z.record(z.string(), z.string()) })

export type Manifest = z.output<typeof manifest>
export type Container = z.output<typeof container>

/** What `kubectl apply -k k8s/<overlay>` would send: kustomize itself renders it. */
export function render(overlay: string): Manifest[] {
  const command = join(createRequire(__filename).resolve('kustomize/package.json'), '../run.js')
  const args = [command, 'build', join(repositoryDir, 'k8s', overlay)]
  const documents = parseAllDocuments(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  return documents.map((document) => manifest.parse(document.toJS()))
}

export interface Workload {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly containers: readonly Container[]
  readonly volumes: readonly z.output<typeof volume>[]
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((read) => {
      const { template } = workload.parse(read).spec
      const { labels } = template.metadata
      return { name: read.metadata.name, labels, ...template.spec }
    })
}

/** The environment a container would see; `secretOf` stands in for the cluster's secrets. */
export function environmentOf(
  { env, envFrom }: Container,
  manifests: readonly Manifest[],
  secretOf: (key: string) => string,
): Record<string, string> {
  const fromMaps = envFrom.flatMap(({ configMapRef }) => {
    if (configMapRef === undefined) return []
    const found = manifests.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name,
    )
    return [configMap.parse(found).data]
  })
  const own = env.map(({ name, value, valueFrom }) => [
    name,
    value ?? secretOf(valueFrom?.secretKeyRef.key ?? ''),
  ])
  return Object.assign({}, ...fromMaps, Object.fromEntries(own)) as Record<string, string>
}
