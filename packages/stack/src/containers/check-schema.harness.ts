import { join } from 'node:path'
import ts from 'typescript'
import type { Manifest } from './kubernetes.harness'

/** Where the types of each kind live in the package kubernetes-models. */
const folders: Readonly<Record<string, string>> = {
  v1: 'v1',
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'policy/v1': 'policy/v1',
  'networking.k8s.io/v1': 'networking.k8s.io/v1',
}

/**
 * What is wrong about the manifests by the schemas of Kubernetes. The compiler checks them, as literals of the types that
 * are generated from those schemas: so a misspelt field is found too, which a cluster would silently drop.
 */
export function schemaProblems(manifests: readonly Manifest[]): string[] {
  const text = manifests.map(asStatement).join('\n')
  const path = join(__dirname, 'rendered-manifests.ts')
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.Node20,
  }
  const host = ts.createCompilerHost(options)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, languageVersion, ...rest) =>
    name === path
      ? ts.createSourceFile(name, text, languageVersion, true)
      : getSourceFile(name, languageVersion, ...rest)
  const program = ts.createProgram([path], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

function asStatement({ apiVersion, kind, ...rest }: Manifest, index: number): string {
  const folder = folders[apiVersion] ?? apiVersion
  return `import type { I${kind} as I${String(index)} } from 'kubernetes-models/${folder}/${kind}'
export const manifest${String(index)}: I${String(index)} = ${JSON.stringify({ apiVersion, kind, ...rest })}`
}
