import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { customKinds } from './custom-kinds.harness'
import type { Manifest } from './kubernetes.harness'

/** Where the types of each kind live in the package kubernetes-models. */
const folders: Readonly<Record<string, string>> = {
  v1: 'v1',
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'policy/v1': 'policy/v1',
  'networking.k8s.io/v1': 'networking.k8s.io/v1',
}

const packageDir = join(__dirname, '../..')
const compiler = join(packageDir, '../../node_modules/typescript/bin/tsc')
const options = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--types',
  '',
  '--module',
  'node20',
  '--ignoreConfig',
]

/**
 * What is wrong about the manifests by the schemas of Kubernetes. The compiler checks them, as literals of the types
 * that are generated from those schemas: so a misspelt field is found too, which a cluster would silently drop.
 */
export function schemaProblems(manifests: readonly Manifest[]): string[] {
  // The file is beside the package whose types it imports, because the compiler looks for them from there.
  const dir = mkdtempSync(join(packageDir, 'node_modules/manifests-'))
  const path = join(dir, 'rendered-manifests.ts')
  writeFileSync(path, manifests.map(asStatement).join('\n'))
  const ran = spawnSync(process.execPath, [compiler, ...options, path], { encoding: 'utf8' })
  rmSync(dir, { recursive: true })
  if (ran.error !== undefined || ran.stderr !== '') throw ran.error ?? new Error(ran.stderr)
  const problems = ran.stdout.split('\n').filter((line) => line !== '')
  if (ran.status !== 0 && problems.length === 0)
    throw new Error(`tsc ended with ${String(ran.status)}`)
  return problems
}

function asStatement({ apiVersion, kind, ...rest }: Manifest, index: number): string {
  const spec = customKinds.get(`${apiVersion} ${kind}`)
  if (spec !== undefined) {
    return `export const manifest${String(index)}: ${spec} = ${JSON.stringify(rest['spec'])}`
  }
  const folder = folders[apiVersion] ?? apiVersion
  return `import type { I${kind} as I${String(index)} } from 'kubernetes-models/${folder}/${kind}'
export const manifest${String(index)}: I${String(index)} = ${JSON.stringify({ apiVersion, kind, ...rest })}`
}
